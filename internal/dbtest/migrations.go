package dbtest

import (
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	atlas "ariga.io/atlas/sql/migrate"

	"records/migrate"
)

// Migrations returns the program's own with files added, and the checksums
// renewed: a later version of the program. A file's name stands without its
// folder, for both databases, or with it, as postgres/20270101000000_x.sql; text
// without goose's first line gets it.
func Migrations(t testing.TB, added map[string]string) *migrate.Source {
	t.Helper()
	return migrate.From(MigrationFiles(t, added))
}

// MigrationFiles are the files of Migrations.
func MigrationFiles(t testing.TB, added map[string]string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(migrate.Embedded.Files(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := fs.ReadFile(migrate.Embedded.Files(), name)
		files[name] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range added {
		if !strings.HasPrefix(text, "-- +goose Up") {
			text = "-- +goose Up\n" + text
		}
		for _, folder := range []string{"postgres", "sqlite"} {
			if base, ok := strings.CutPrefix(name, folder+"/"); ok || !strings.Contains(name, "/") {
				files[path.Join(folder, base)] = &fstest.MapFile{Data: []byte(text)}
			}
		}
	}
	for _, folder := range []string{"postgres", "sqlite"} {
		files[path.Join(folder, "atlas.sum")] = &fstest.MapFile{Data: checksum(t, files, folder)}
	}
	return files
}

// checksum returns the atlas.sum of a folder.
func checksum(t testing.TB, files fstest.MapFS, folder string) []byte {
	t.Helper()
	dir := &atlas.MemDir{}
	for name, file := range files {
		if path.Dir(name) == folder && path.Ext(name) == ".sql" {
			if err := dir.WriteFile(path.Base(name), file.Data); err != nil {
				t.Fatal(err)
			}
		}
	}
	sum, err := dir.Checksum()
	if err != nil {
		t.Fatal(err)
	}
	text, err := sum.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	return text
}
