//go:build !linux

package doctor

// fileSystem is not known on this system.
func fileSystem(string) string { return "" }

// roomLeft is not known on this system.
func roomLeft(string) (bytes uint64, known bool) { return 0, false }
