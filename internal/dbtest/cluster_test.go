package dbtest

import (
	"syscall"
	"testing"
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

func run(t *testing.T, url, statement string) {
	t.Helper()
	if _, err := OpenURL(t, url).SQL().Exec(statement); err != nil {
		t.Fatal(err)
	}
}
