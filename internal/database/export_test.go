package database

import (
	"context"
	"testing"
	"time"

	"modernc.org/sqlite"
)

// The bounds of what a connection keeps.
const (
	KeptStatements = keptStatements
	KeptBytes      = keptBytes
)

// Kept tells how many statements the connection that writes has, and how long their
// texts are, while nobody writes.
func (db *DB) Kept(t *testing.T) (n, bytes int) {
	kept := db.sqliteWriter(t).conn.kept
	for _, text := range kept.byText.Keys() {
		bytes += len(text)
	}
	return kept.byText.Len(), bytes
}

// Waiting tells how many stand in line to write to a SQLite file.
func (db *DB) Waiting(t *testing.T) int {
	turn := &db.sqliteWriter(t).turn
	turn.mu.Lock()
	defer turn.mu.Unlock()
	return len(turn.line)
}

// OnCommit has f called at each commit, whose turn it is then.
func (db *DB) OnCommit(t *testing.T, f func()) {
	w := db.sqliteWriter(t)
	if _, err := w.turn.take(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	defer w.turn.give()
	w.conn.sqliteConn.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 { f(); return 0 })
}

// Together sets how long writes are taken up into one transaction, which a test
// that counts on it must not leave to the machine's speed.
func (db *DB) Together(t *testing.T, long time.Duration) {
	w := db.sqliteWriter(t)
	if _, err := w.turn.take(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	defer w.turn.give()
	if w.long != togetherLong {
		t.Errorf("writes are taken up for %s", w.long)
	}
	w.long = long
}

func (db *DB) sqliteWriter(t *testing.T) (w *sqliteWriter) {
	conn, err := db.writer.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.Raw(func(c any) error { w = c.(*sqliteSeat).writer; return nil })
	return w
}
