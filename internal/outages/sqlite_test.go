package outages

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"records/internal/programtest"
)

// file is an SQLite file.
type file struct {
	url, path string
	t         *testing.T
}

func onSQLite(t *testing.T) site {
	path := filepath.Join(t.TempDir(), "records.db")
	effort := 400_000 // some ten milliseconds
	if programtest.Race {
		effort /= 50
	}
	f := &file{"sqlite:" + path, path, t}
	s := site{
		url: f.url, direct: f.url, settle: func() {}, unbroken: f.unbroken,
		slow:    []string{fmt.Sprintf(`CREATE TRIGGER slow AFTER INSERT ON projects BEGIN SELECT length(hex(randomblob(%d))); END`, effort)},
		fast:    []string{`DROP TRIGGER slow`},
		outages: []outage{{name: "another process writes to the file", happen: f.isHeld, least: time.Second}},
	}
	if canLimitFiles {
		s.outages = append(s.outages, outage{name: "the disk is full", happen: f.diskIsFull, least: 500 * time.Millisecond})
	}
	return s
}

// isHeld has another process hold the file for writing. Reads go on.
func (f *file) isHeld(w *world, lasts time.Duration) {
	direct(f.t, f.url, func(db *sql.DB) error {
		tx, err := db.Begin() // with the file's write lock from the start
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if done := w.progressWhile(func() { time.Sleep(lasts) }); done.reads == 0 {
			f.t.Error("while another process held the file, nothing was read")
		}
		return nil
	})
}

// diskIsFull lets no file of the program grow, with so many writers that some of what
// fails was to be committed together. Reads go on.
func (f *file) diskIsFull(w *world, lasts time.Duration) {
	limitFiles(f.t, w.program.cmd.Process.Pid, uint64(w.IntN(30_000)))
	refused := w.tally.refusedNow()
	done := w.progressWhile(func() {
		w.rush(time.Second / 2)
		time.Sleep(lasts)
	})
	if refused = w.tally.refusedNow() - refused; done.reads == 0 || refused == 0 {
		f.t.Errorf("on a full disk %d reads went well, and %d requests were refused", done.reads, refused)
	}
	limitFiles(f.t, w.program.cmd.Process.Pid, unlimited)
}

// unbroken looks through the file.
func (f *file) unbroken() {
	direct(f.t, f.url, func(db *sql.DB) error {
		var said string
		err := db.QueryRow(`SELECT group_concat(integrity_check) FROM pragma_integrity_check`).Scan(&said)
		if !strings.EqualFold(said, "ok") {
			f.t.Errorf("the file is broken: %s", said)
		}
		return err
	})
}
