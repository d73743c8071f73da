package outages

import (
	"database/sql"
	"syscall"
	"testing"
	"time"

	"records/internal/database"
	"records/internal/dbtest"
)

// server is the PostgreSQL of the test's own.
type server struct {
	*dbtest.Cluster
	*dbtest.Proxy // between it and the program
	t             *testing.T
}

func onPostgres(t *testing.T) site {
	s := &server{Cluster: dbtest.NewCluster(t), t: t}
	s.Proxy = dbtest.NewProxy(t, s.Cluster.URL)
	return site{
		url: s.Proxy.URL(), direct: s.Cluster.URL, settle: s.settle, unbroken: func() {},
		slow: []string{
			`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END'`,
			`CREATE TRIGGER slow BEFORE INSERT ON projects FOR EACH ROW EXECUTE FUNCTION slow()`,
		},
		fast: []string{`DROP FUNCTION slow CASCADE`},
		outages: []outage{
			{name: "PostgreSQL is told to stop (SIGINT)", happen: s.ends(syscall.SIGINT)},
			{name: "PostgreSQL leaves at once (SIGQUIT)", happen: s.ends(syscall.SIGQUIT)},
			{name: "PostgreSQL is killed (SIGKILL)", happen: s.ends(syscall.SIGKILL)},
			{name: "PostgreSQL and the program are killed", happen: s.bothEnd},
			{name: "PostgreSQL freezes", happen: s.freezes},
			{name: "PostgreSQL ends every session", happen: s.sessionsEnd},
			{name: "PostgreSQL's disk is full", happen: s.diskIsFull},
			{name: "a table is locked", happen: s.tableIsLocked, least: time.Second},
			{name: "connections are cut", happen: s.connectionsAreCut},
			{name: "replies are cut", happen: s.repliesAreCut, least: time.Second},
			{name: "the network swallows everything", happen: s.networkIsSilent},
		},
	}
}

// ends stops the server in a way, and starts it again.
func (s *server) ends(how syscall.Signal) func(*world, time.Duration) {
	return func(w *world, lasts time.Duration) {
		w.amid(func() {
			s.Stop(s.t, how)
			time.Sleep(lasts)
			s.Start(s.t)
		})
	}
}

// bothEnd has the program start while there is no database.
func (s *server) bothEnd(w *world, lasts time.Duration) {
	w.amid(func() {
		s.Stop(s.t, syscall.SIGKILL)
		w.program.kill()
		w.program.start()
		time.Sleep(lasts)
		s.Start(s.t)
	})
}

func (s *server) freezes(_ *world, lasts time.Duration) {
	s.Cluster.Freeze(s.t)
	time.Sleep(lasts)
	s.Thaw()
}

func (s *server) sessionsEnd(w *world, lasts time.Duration) {
	for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(w.moment(50, 300)) {
		s.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`)
	}
}

// diskIsFull has each write refused in the words in which PostgreSQL does so when it
// cannot extend a table. To fill a real disk takes one of the test's own.
func (s *server) diskIsFull(w *world, lasts time.Duration) {
	s.run(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''could not extend file'' USING ERRCODE = ''disk_full''; END'`)
	for _, r := range resources {
		s.run(`CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON ` + r.plural + ` FOR EACH ROW EXECUTE FUNCTION full_disk()`)
	}
	if done := w.progressWhile(func() { time.Sleep(lasts) }); done.reads == 0 {
		s.t.Error("on a full disk nothing was read")
	}
	s.run(`DROP FUNCTION full_disk CASCADE`)
}

// tableIsLocked keeps everybody from the tasks. All else goes on.
func (s *server) tableIsLocked(w *world, lasts time.Duration) {
	s.with(func(db *sql.DB) error {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.Exec(`LOCK TABLE ` + tasks.plural + ` IN ACCESS EXCLUSIVE MODE`); err != nil {
			return err
		}
		done := 0
		for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(pause) {
			if w.probe.roundTrip(deals) {
				done++
			}
		}
		if done == 0 {
			s.t.Errorf("in %s in which %s were locked, nothing else went well", lasts, tasks.plural)
		}
		return nil
	})
}

func (s *server) connectionsAreCut(w *world, lasts time.Duration) {
	for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(w.moment(50, 300)) {
		s.Refuse()
		time.Sleep(w.moment(0, 20))
		s.Restore()
	}
}

// repliesAreCut breaks the connection after statements with a text of ours in them, or
// with an id, in one way or another.
func (s *server) repliesAreCut(w *world, lasts time.Duration) {
	ids := w.someID()[:4] // they all begin alike, by the time
	for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(w.moment(10, 100)) {
		s.Cut(dbtest.Cut{
			Match: []string{mark, ids, "COMMIT"}[w.IntN(3)], Times: 1 + w.IntN(4),
			Undelivered: w.IntN(4) == 0, Partial: w.IntN(4) == 0, Reset: w.IntN(2) == 0,
		})
	}
	s.Restore()
}

func (s *server) networkIsSilent(_ *world, lasts time.Duration) {
	s.Proxy.Freeze()
	time.Sleep(lasts)
	s.Restore()
}

// settle waits until no statement is at work, that of a program which is gone included.
func (s *server) settle() {
	time.Sleep(300 * time.Millisecond) // for what is still to be read by the server
	s.with(func(db *sql.DB) error {
		for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			var busy int
			err := db.QueryRow(`SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()`).Scan(&busy)
			if err != nil || busy == 0 {
				return err
			}
			if time.Since(began) > goodWithin*time.Second {
				s.t.Errorf("%d sessions are still at work", busy)
				return nil
			}
		}
	})
}

// run does something at the server itself, past the proxy.
func (s *server) run(statement string) {
	s.with(func(db *sql.DB) error {
		_, err := db.Exec(statement)
		return err
	})
}

func (s *server) with(do func(*sql.DB) error) {
	s.t.Helper()
	direct(s.t, s.Cluster.URL, do)
}

// direct does something at a database, past the program.
func direct(t *testing.T, url string, do func(*sql.DB) error) {
	t.Helper()
	db, err := database.Open(url, database.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	began := time.Now()
	if err := do(db.SQL()); err != nil {
		t.Errorf("at the database itself, after %s: %s", time.Since(began).Round(time.Millisecond), tellable(err))
	}
}
