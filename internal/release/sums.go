package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// sums are the SHA-256 of every migration by its path, such as
// sqlite/20261121073704_initial.sql.
type sums map[string]string

// sumsOf reads the folder of the migrations.
func sumsOf(migrations fs.FS) (sums, error) {
	all := sums{}
	for _, folder := range folders {
		names, err := fs.Glob(migrations, folder+"/*.sql")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(migrations, name)
			if err != nil {
				return nil, err
			}
			all[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		}
	}
	return all, nil
}

// parseSums reads what String wrote.
func parseSums(text string) (sums, error) {
	all := sums{}
	for line := range strings.Lines(text) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || len(sum) != 2*sha256.Size {
			return nil, fmt.Errorf("no checksum and path: %q", line)
		}
		all[name] = sum
	}
	return all, nil
}

// String is in the form of sha256sum.
func (s sums) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&b, "%s  %s\n", s[name], name)
	}
	return b.String()
}

// newest is the version of the last migration.
func (s sums) newest() (int64, error) {
	var newest int64
	for name := range s {
		v, err := versionOf(name)
		if err != nil {
			return 0, err
		}
		newest = max(newest, v)
	}
	return newest, nil
}

// versionOf is the number that a migration's name begins with.
func versionOf(name string) (int64, error) {
	number, _, _ := strings.Cut(path.Base(name), "_")
	return strconv.ParseInt(number, 10, 64)
}

// changed says which released migrations are no longer what they were. A
// database that has them would never learn of the change. Nor would it of one
// that came in before the last of them.
func (s sums) changed(present sums) ([]string, error) {
	last, err := s.newest()
	if err != nil {
		return nil, err
	}
	var whats []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		switch sum, ok := present[name]; {
		case !ok:
			whats = append(whats, fmt.Sprintf("migrate/%s was released and is gone: bring it back", name))
		case sum != s[name]:
			whats = append(whats, fmt.Sprintf("migrate/%s was released and has been edited: bring it back, and write another migration", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(present)) {
		v, err := versionOf(name)
		if err != nil {
			return nil, err
		}
		if _, ok := s[name]; !ok && v <= last {
			whats = append(whats, fmt.Sprintf("migrate/%s is new, but older than %d, which was released: generate it again", name, last))
		}
	}
	return whats, nil
}
