package main_test

import (
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
	"records/internal/programtest"
)

// A server that has nothing to do lets go of the pages of its own file that its requests
// have used.
func TestIdleServerGivesBack(t *testing.T) {
	t.Parallel()
	p := newProgram(t, dbtest.URL(t, dialect.SQLite))
	k := p.key("Acme", "write")
	s := p.serve()
	defer s.stop()
	resident := func() int { return programtest.Memory(t, s.cmd.Process.Pid, "RssFile") }
	long := `{"name":"a","description":"` + strings.Repeat("a", 60_000) + `"}`
	for range 50 { // lists of megabytes, so that there is much to do
		s.status(201, "POST", "/api/v1/tasks", k.Token, long)
		s.status(200, "GET", "/api/v1/tasks", k.Token, "")
	}
	used := resident()
	for deadline := time.Now().Add(time.Minute); resident() > used/2; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d KB of files are resident, and %d after the last request", resident(), used)
		}
	}
}
