package migrate

import (
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// A migration that was edited, added or taken away after it was generated is
// refused.
func TestChecksum(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"sqlite", "postgres"} {
		names, err := fs.Glob(files, folder+"/*.sql")
		if err != nil {
			t.Fatal(err)
		}
		for name, change := range map[string]func(fstest.MapFS){
			"edited": func(m fstest.MapFS) { m[names[0]].Data = append(m[names[0]].Data, "-- a word\n"...) },
			"added": func(m fstest.MapFS) {
				m[path.Join(folder, "20990101000000_more.sql")] = &fstest.MapFile{Data: []byte("-- +goose Up\n")}
			},
			"removed":  func(m fstest.MapFS) { delete(m, names[0]) },
			"no sum":   func(m fstest.MapFS) { delete(m, path.Join(folder, "atlas.sum")) },
			"as it is": nil,
		} {
			copied := copyOf(t, folder)
			if change != nil {
				change(copied)
			}
			err := validate(copied, folder)
			if change == nil && err != nil {
				t.Errorf("%s: %v", folder, err)
			}
			if change != nil && (err == nil || !strings.Contains(err.Error(), "do not match their atlas.sum")) {
				t.Errorf("%s, %s: %v", folder, name, err)
			}
		}
	}
}

func copyOf(t *testing.T, folder string) fstest.MapFS {
	t.Helper()
	copied := fstest.MapFS{}
	entries, err := files.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := files.ReadFile(path.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		copied[path.Join(folder, e.Name())] = &fstest.MapFile{Data: b}
	}
	return copied
}
