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
	for range 20 { // on a busy machine it may find time for that amid the work
		for range 20 { // lists of megabytes, so that there is much to do
			s.status(201, "POST", "/api/v1/tasks", k.Token, long)
			s.status(200, "GET", "/api/v1/tasks", k.Token, "")
		}
		used := resident()
		for range 50 {
			if time.Sleep(100 * time.Millisecond); resident() <= used/2 {
				return
			}
		}
	}
	t.Errorf("%d KB of files are resident after five seconds without a request", resident())
}
