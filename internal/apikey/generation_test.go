package apikey

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/ent/rule"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/viewer"
)

// by runs SQL as an operator would by hand.
func by(t *testing.T, db *database.DB, query string) {
	t.Helper()
	if _, err := db.SQL().ExecContext(t.Context(), query); err != nil {
		t.Fatal(err)
	}
}

func generationOf(t *testing.T, db *database.DB) (g string) {
	t.Helper()
	if err := db.SQL().QueryRowContext(t.Context(), "SELECT generation FROM key_generations").Scan(&g); err != nil {
		t.Fatal(err)
	}
	return g
}

// However long keys are in use, each is looked up once while no key is changed.
func TestUnchangedKeysAreLookedUpOnce(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		keys, tokens := []uuid.UUID{f.key.ID}, []string{f.token}
		for range 49 {
			key, token := f.create(t, Request{Workspace: f.workspace, Name: "k", Scope: viewer.Read})
			keys, tokens = append(keys, key.ID), append(tokens, token)
		}
		start := time.Now()
		for i := range 10_000 {
			if v, err := f.auth.Authenticate(t.Context(), tokens[i%len(tokens)]); err != nil || v.Key != keys[i%len(keys)] {
				t.Fatalf("key %s makes %v, %v", keys[i%len(keys)], v, err)
			}
			if i%100 == 0 {
				time.Sleep(25 * time.Millisecond)
			}
		}
		if n := f.reads.Load(); n != 50 {
			t.Errorf("%d look-ups of 50 keys", n)
		}
		if n, most := f.refreshes.Load(), int64(time.Since(start)/refreshEvery)+1; n > most {
			t.Errorf("the generation was read %d times; want %d", n, most)
		}
		time.Sleep(2 * refreshEvery) // one may be under way
		f.refreshes.Store(0)
		time.Sleep(2 * refreshEvery)
		if n := f.refreshes.Load(); n != 0 {
			t.Errorf("the generation was read %d times without a request", n)
		}
	})
}

// What decides about a key renews the generation, also by hand; what does not
// leaves everything remembered.
func TestWhatRenewsTheGeneration(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		f := setUp(t, db)
		renews := func(want bool, what string, do func()) {
			t.Helper()
			before := generationOf(t, db)
			if do(); (generationOf(t, db) != before) != want {
				t.Errorf("%s: renewed the generation: %t", what, !want)
			}
		}
		sql := func(query string) func() { return func() { by(t, db, query) } }
		renews(false, "a new key", func() { f.create(t, Request{Workspace: f.workspace, Name: "k", Scope: viewer.Read}) })
		renews(false, "its use", func() {
			if err := touch(rule.AsOperator(t.Context()), f.client, []uuid.UUID{f.key.ID}, time.Now()); err != nil {
				t.Fatal(err)
			}
		})
		renews(false, "its name", sql("UPDATE api_keys SET name = 'other'"))
		renews(true, "the scope", func() {
			if err := SetScope(rule.AsOperator(t.Context()), f.client, f.key.ID, viewer.Read); err != nil {
				t.Fatal(err)
			}
		})
		renews(true, "the end", func() {
			if err := Revoke(rule.AsOperator(t.Context()), f.client, f.key.ID); err != nil {
				t.Fatal(err)
			}
		})
		for _, column := range strings.Split("id, workspace_id, hash, scope, expires_at, revoked_at", ", ") {
			renews(true, column, sql("UPDATE api_keys SET "+column+" = "+column))
		}
		if db.Dialect() == dialect.SQLite {
			renews(true, "a replacement", sql("REPLACE INTO api_keys SELECT * FROM api_keys LIMIT 1"))
		}
		by(t, db, "DELETE FROM audit_events") // which refer to the keys
		renews(true, "a deletion", sql("DELETE FROM api_keys WHERE name = 'other'"))
		if db.Dialect() == dialect.Postgres {
			renews(true, "all deleted", sql("TRUNCATE api_keys CASCADE"))
		}
	})
}

// A change by hand holds on every replica, too.
func TestChangesByHandHold(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		f := setUp(t, db)
		f.accepted(t)
		by(t, db, "UPDATE api_keys SET scope = 'read'")
		f.changed(t, func(v viewer.Viewer, err error) bool { return err == nil && v.Scope == viewer.Read })
		by(t, db, "DELETE FROM audit_events") // which refer to the keys
		by(t, db, "DELETE FROM api_keys")
		f.changed(t, func(_ viewer.Viewer, err error) bool { return errors.Is(err, ErrRefused) })
	})
}

// A generation that cannot be read costs look-ups, and no promise.
func TestUnreadableGeneration(t *testing.T) {
	for name, spoil := range map[string]func(*testing.T, *fixture, *database.DB){
		"from the start": func(_ *testing.T, f *fixture, _ *database.DB) { f.unreadable.Store(true) },
		"later":          func(t *testing.T, f *fixture, _ *database.DB) { f.accepted(t); f.unreadable.Store(true) },
		"no row": func(t *testing.T, f *fixture, db *database.DB) {
			f.accepted(t)
			by(t, db, "DELETE FROM key_generations")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, db *database.DB) {
				f := setUp(t, db)
				spoil(t, f, db)
				f.accepted(t)
				if err := Revoke(rule.AsOperator(t.Context()), f.client, f.key.ID); err != nil {
					t.Fatal(err)
				}
				f.reads.Store(0)
				f.changed(t, func(_ viewer.Viewer, err error) bool { return errors.Is(err, ErrRefused) })
				if n := f.reads.Load(); n < 2 || n > 5 {
					t.Errorf("%d look-ups in two seconds", n)
				}
				f.unreadable.Store(false)
			})
		})
	}
}

// late is a driver that lets something happen between the moment at which a key
// was read and that at which its reader has it.
type late struct {
	dialect.Driver
	between func()
}

func (l *late) Query(ctx context.Context, query string, args, v any) error {
	err := l.Driver.Query(ctx, query, args, v)
	if l.between != nil && strings.Contains(query, "api_keys") {
		l.between()
	}
	return err
}

// An answer that is older than a change is not taken for one under the generation
// that came with the change, however late it comes.
func TestLateAnswer(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		slow := &late{Driver: f.Driver}
		f.Driver = slow
		slow.between = func() {
			slow.between = nil
			if err := Revoke(rule.AsOperator(t.Context()), f.client, f.key.ID); err != nil {
				t.Error(err)
			}
			now := *f.auth.last.Load()
			now.tried = time.Time{}
			f.auth.last.Store(&now)
			f.auth.refresh()
		}
		f.accepted(t) // read before
		f.changed(t, func(_ viewer.Viewer, err error) bool { return errors.Is(err, ErrRefused) })
	})
}

// However many wrong keys come in at once, few are looked up at a time, and those
// that are remembered do not wait for them.
func TestFloodOfWrongKeys(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.accepted(t)
		f.hold = make(chan struct{})
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() { f.refused(t, newToken()) })
		}
		for start := time.Now(); f.held.Load() < maxStrangers && time.Since(start) < time.Minute; {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
		if n := f.held.Load(); n != maxStrangers {
			t.Errorf("%d are looked up at a time", n)
		}
		f.accepted(t)
		close(f.hold)
		all.Wait()
	})
}

// An answer ages, whatever is said of its generation: a database that was put back to
// an earlier day says the same of it.
func TestAnswersAge(t *testing.T) {
	t.Parallel()
	asked := time.Now()
	for _, test := range []struct {
		age, lately time.Duration // of the answer, and of the generation
		generation  string
		holds       bool
	}{
		{0, 0, "", true}, {life - 1, time.Hour, "another", true}, {life, 0, "", false}, {life, 0, "another", false},
		{life, 0, "same", true}, {life, life, "same", false}, {longest - 1, 0, "same", true}, {longest, 0, "same", false},
	} {
		e, arrived := entry{asked: asked, generation: "same"}, asked.Add(test.age)
		if got := e.holds(&reading{asked: arrived.Add(-test.lately), generation: test.generation}, arrived); got != test.holds {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
