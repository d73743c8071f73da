package server_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

// That the database is away is told once, and so is that it is back.
func TestOutageIsTold(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	s := start(t, db)
	told := func(message string) int { return strings.Count(s.Log.String(), `"msg":"`+message+`"`) }
	wantStatus(t, "before", s.write.Do(http.MethodGet, "/tasks", nil), 200)
	if err := os.Rename(db.Path(), db.Path()+".away"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // for so long readers may not see it
	for range 3 {
		wantStatus(t, "while it is away", s.write.Do(http.MethodGet, "/tasks", nil), 503)
	}
	until(t, "it is told", func() bool { return told("the database cannot be reached") == 1 })
	if err := os.Rename(db.Path()+".away", db.Path()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		wantStatus(t, "when it is back", s.write.Do(http.MethodGet, "/tasks", nil), 200)
	}
	until(t, "that too", func() bool { return told("the database answers again") == 1 })
	if n := told("the database cannot be reached"); n != 1 {
		t.Errorf("told %d times", n)
	}
}
