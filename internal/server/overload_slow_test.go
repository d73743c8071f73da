package server_test

import (
	"database/sql"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
)

// impatient sheds what has waited for a moment. What is at work waits for its lock.
func impatient(o *server.Options) {
	o.MaxWaiting, o.MaxWait, o.RequestTimeout = 60, 500*time.Millisecond, time.Minute
}

// openWide opens a database with as many connections as the program would.
func openWide(t *testing.T, url string) *database.DB {
	t.Helper()
	db, err := database.Open(url, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// What is locked holds up those who need it, and nobody else, for as long as it is:
// the requests of others are answered meanwhile.
func TestOneSlowTableOrWorkspaceSlowsNobodyElse(t *testing.T) {
	t.Parallel()
	type request func(c *servertest.Client, id string) servertest.Response
	get := func(c *servertest.Client, id string) servertest.Response { return c.Do("GET", "/tasks/"+id, nil) }
	list := func(c *servertest.Client, _ string) servertest.Response { return c.Do("GET", "/tasks", nil) }
	update := func(c *servertest.Client, id string) servertest.Response {
		return c.Do("PATCH", "/tasks/"+id, `{"name":"b"}`)
	}
	create := func(c *servertest.Client, _ string) servertest.Response {
		return c.Do("POST", "/tasks", `{"name":"a"}`)
	}
	deal := func(c *servertest.Client, _ string) servertest.Response {
		return c.Do("POST", "/deals", `{"title":"a"}`)
	}
	for _, test := range []struct {
		what, dialect, lock string
		workspaces          int // that are held up
		slow                request
		rest                []request // of another
	}{
		{"a table", dialect.Postgres, `LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE`, 6, get, []request{deal}},
		{"the writes of a table", dialect.Postgres, `LOCK TABLE tasks IN SHARE MODE`, 6, create, []request{deal, list}},
		{"a record", dialect.Postgres, `SELECT FROM tasks FOR UPDATE`, 1, update, []request{deal, list, create}},
		// A transaction there has the file's lock.
		{"all writes", dialect.SQLite, `SELECT 1`, 6, create, []request{list}},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, test.dialect)
			s := servertest.Start(t, openWide(t, url), impatient)
			var workspaces []*servertest.Client
			for range test.workspaces {
				workspaces = append(workspaces, s.NewClient(t))
			}
			other := s.NewClient(t)
			id := workspaces[0].Create("tasks", smallest("tasks"))
			for _, c := range append(workspaces, other) {
				list(c, "") // so that no key is looked up meanwhile
			}
			release := lock(t, url, test.lock)
			var slow sync.WaitGroup
			for i := range 40 {
				slow.Go(func() {
					r := test.slow(workspaces[i%len(workspaces)], id)
					if r.Status >= 500 && r.Status != 503 {
						t.Errorf("a slow one: %d %s", r.Status, r.Body)
					}
				})
			}
			until(t, "all slow ones have come", func() bool {
				n := 0
				for _, g := range s.Server.Stats().Gates {
					n += g.InWork + g.Waiting + int(g.Full+g.Late)
				}
				return n == 40
			})
			for range 10 {
				for i, rest := range test.rest {
					if r := rest(other, id); r.Status/100 != 2 {
						t.Fatalf("request %d of another: %d %s: %+v", i, r.Status, r.Body, s.Server.Stats().Gates)
					}
				}
			}
			release()
			slow.Wait()
			for name, g := range s.Server.Stats().Gates {
				if g.InWork != 0 || g.Waiting != 0 {
					t.Errorf("%s: %+v is left", name, g)
				}
			}
			if r := workspaces[0].Do("GET", "/tasks/"+id, nil); r.Status != 200 {
				t.Errorf("afterwards: %d %s", r.Status, r.Body)
			}
		})
	}
}

// lock takes a lock on another connection, and returns what gives it back.
func lock(t *testing.T, url, statement string) (release func()) {
	t.Helper()
	db, err := database.Open(url, database.Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.SQL().BeginTx(t.Context(), &sql.TxOptions{})
	if err == nil {
		_, err = tx.ExecContext(t.Context(), statement)
	}
	if err != nil {
		t.Fatal(err)
	}
	release = sync.OnceFunc(func() {
		_ = tx.Rollback()
		_ = db.Close()
	})
	t.Cleanup(release)
	return release
}

// until waits for something that must come true.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("not after 20 seconds: " + what)
		}
	}
}
