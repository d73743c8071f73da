//go:build !linux

package doctor

// fileSystem is not known on this system.
func fileSystem(string) string { return "" }
