package main

import (
	"os"
	"path/filepath"
)

// makeFolder makes the folder that holds the servers' data and logs. Everyone may
// pass through it, because PostgreSQL runs as another user when we are root.
func makeFolder() (string, error) {
	parent := os.TempDir()
	if !passable(parent) {
		parent = "/tmp"
	}
	folder, err := os.MkdirTemp(parent, "records-servers-")
	if err != nil {
		return "", err
	}
	return folder, os.Chmod(folder, 0o755)
}

// passable tells whether every user may pass through a folder.
func passable(folder string) bool {
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(folder)
		if err != nil || info.Mode()&0o001 == 0 {
			return false
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return true
		}
		folder = parent
	}
}
