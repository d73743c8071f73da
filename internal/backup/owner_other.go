//go:build !unix

package backup

import (
	"io/fs"
	"os"
)

// likewise gives a file the rights of the one whose place it takes.
func likewise(path string, as fs.FileInfo) error { return os.Chmod(path, as.Mode().Perm()) }
