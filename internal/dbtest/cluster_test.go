package dbtest

import (
	"context"
	"syscall"
	"testing"
	"time"
)

// What was committed is there again, however the server ended.
func TestCluster(t *testing.T) {
	c := NewCluster(t)
	run(t, c.URL, "CREATE TABLE kept (id int)")
	for i, how := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		run(t, c.URL, "INSERT INTO kept VALUES (1)")
		c.Stop(t, how)
		c.Start(t)
		var rows int
		if err := OpenURL(t, c.URL).SQL().QueryRow("SELECT count(*) FROM kept").Scan(&rows); err != nil || rows != i+1 {
			t.Fatalf("after %s: %d rows, %v", how, rows, err)
		}
	}
}

// A frozen server does not answer, and goes on where it was.
func TestFrozenCluster(t *testing.T) {
	c := NewCluster(t)
	db := OpenURL(t, c.URL)
	ask := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		return db.Ping(ctx)
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	c.Freeze(t)
	if err := ask(); err == nil {
		t.Error("a frozen server answers")
	}
	c.Thaw()
	if err := db.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

func run(t *testing.T, url, statement string) {
	t.Helper()
	if _, err := OpenURL(t, url).SQL().Exec(statement); err != nil {
		t.Fatal(err)
	}
}
