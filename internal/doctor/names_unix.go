//go:build unix

package doctor

import (
	"os"
	"syscall"
)

// hasOtherNames reports whether a file has another name beside this one.
func hasOtherNames(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	file, ok := info.Sys().(*syscall.Stat_t)
	return ok && file.Nlink > 1
}
