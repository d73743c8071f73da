//go:build !unix

package doctor

// hasOtherNames is not known on this system.
func hasOtherNames(string) bool { return false }
