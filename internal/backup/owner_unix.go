//go:build unix

package backup

import (
	"io/fs"
	"os"
	"syscall"
)

// likewise gives a file the rights and, where we may, the owner of the one whose place
// it takes: the server may run as somebody else than whoever restores.
func likewise(path string, as fs.FileInfo) error {
	if owner, ok := as.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		if err := os.Chown(path, int(owner.Uid), int(owner.Gid)); err != nil {
			return err
		}
	}
	return os.Chmod(path, as.Mode().Perm())
}
