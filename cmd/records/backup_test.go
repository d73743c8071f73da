package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An embedded database is backed up and put back; PostgreSQL is another matter, and
// the command says so before it touches anything.
func TestBackupAndRestore(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.ok("seed")
		file := filepath.Join(t.TempDir(), "backup.db")
		if strings.HasSuffix(t.Name(), "/postgres") {
			for _, args := range [][]string{{"backup", file}, {"restore", file}} {
				if _, stderr, code := p.run(args...); code != 1 || !strings.Contains(stderr, "pg_dump") || strings.Count(stderr, "\n") != 1 {
					t.Errorf("%v exits with %d and says %q", args, code, stderr)
				}
			}
			return
		}
		var wrote struct {
			File  string
			Bytes int64
		}
		p.json(&wrote, "backup", file)
		if info, err := os.Stat(file); err != nil || wrote.File != file || wrote.Bytes != info.Size() {
			t.Errorf("%+v, %v", wrote, err)
		}
		if _, stderr, code := p.run("backup", file); code != 1 || !strings.Contains(stderr, "is there already") {
			t.Errorf("over a file: %d, %q", code, stderr)
		}
		p.ok("workspace", "create", "since")
		var restored struct {
			Before      string
			CarriedOver int64 `json:"carried_over"`
		}
		p.json(&restored, "restore", file)
		if _, err := os.Stat(restored.Before); err != nil {
			t.Error(err)
		}
		if all := p.ok("workspace", "list"); strings.Contains(all, "since") || !strings.Contains(all, "Demo") {
			t.Errorf("after it there are %s", all)
		}
	})
}
