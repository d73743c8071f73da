package outages

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// file is an SQLite file.
type file struct {
	url, path string
	t         *testing.T
}

func onSQLite(t *testing.T) site {
	path := filepath.Join(t.TempDir(), "records.db")
	f := &file{"sqlite:" + path, path, t}
	s := site{
		url: f.url, direct: f.url, settle: func() {}, unbroken: f.unbroken,
		slow:    []string{`CREATE TRIGGER slow AFTER INSERT ON projects BEGIN SELECT length(hex(randomblob(400000))); END`},
		fast:    []string{`DROP TRIGGER slow`},
		outages: []outage{{name: "another process writes to the file", happen: f.isHeld, least: time.Second}},
	}
	if canLimitFiles {
		s.outages = append(s.outages, outage{name: "the disk is full", happen: f.diskIsFull, least: time.Second})
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
		time.Sleep(100 * time.Millisecond) // for answers that are on their way
		if done := w.progressWhile(func() { time.Sleep(lasts) }); done.reads == 0 || done.writes > 0 {
			f.t.Errorf("while another process held the file, %d reads and %d writes went well", done.reads, done.writes)
		}
		return nil
	})
}

// diskIsFull lets no file of the program grow. Reads go on.
func (f *file) diskIsFull(w *world, lasts time.Duration) {
	limitFiles(f.t, w.program.cmd.Process.Pid, uint64(w.IntN(30_000)))
	refused := w.tally.refusedNow()
	done := w.progressWhile(func() { time.Sleep(lasts) })
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
