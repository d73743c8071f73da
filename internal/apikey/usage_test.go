package apikey

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent/rule"
	"records/internal/viewer"
)

func TestUseIsWrittenByTheMinute(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		before := time.Now().UTC().Truncate(time.Minute)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 200 {
					f.accepted(t)
				}
			})
		}
		all.Wait()
		if f.writes.Load() != 0 || f.read(t).LastUsedAt != nil {
			t.Errorf("%d writes by requests", f.writes.Load())
		}
		f.flush(t)
		if n := f.writes.Load(); n < 1 || n > 2 { // two where a minute began meanwhile
			t.Errorf("%d writes; want 1", n)
		}
		used := f.read(t).LastUsedAt
		if used == nil || used.Before(before) || !used.Equal(used.Truncate(time.Minute)) || used.After(time.Now()) {
			t.Errorf("last used at %v", used)
		}
		f.writes.Store(0)
		f.flush(t)
		if n := f.writes.Load(); n != 0 {
			t.Errorf("%d writes, where nothing is new", n)
		}
	})
}

func (f *fixture) flush(t *testing.T) {
	t.Helper()
	if err := f.auth.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestManyKeysAreWrittenTogether(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		second, _ := f.create(t, Request{Workspace: f.workspace, Name: "second", Scope: viewer.Read})
		unused, _ := f.create(t, Request{Workspace: f.workspace, Name: "unused", Scope: viewer.Read})
		minute := time.Now()
		f.auth.usage.note(f.key.ID, minute)
		f.auth.usage.note(second.ID, minute)
		for range 998 {
			f.auth.usage.note(uuid.New(), minute)
		}
		f.flush(t)
		if n := f.writes.Load(); n != 2 {
			t.Errorf("%d writes for 1,000 keys; want 2", n)
		}
		keys, err := List(rule.AsOperator(t.Context()), f.client, f.workspace)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			if (k.LastUsedAt == nil) != (k.ID == unused.ID) {
				t.Errorf("%s was last used at %v", k.Name, k.LastUsedAt)
			}
		}
	})
}

func TestUseNeverMovesBack(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		now := time.Now().UTC().Truncate(time.Minute)
		for _, minute := range []time.Time{now, now.Add(-time.Minute)} { // another replica was later
			if err := touch(rule.AsOperator(t.Context()), f.client, []uuid.UUID{f.key.ID}, minute); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.read(t).LastUsedAt; got == nil || !got.Equal(now) {
			t.Errorf("last used at %v; want %v", got, now)
		}
	})
}

func TestUseIsWrittenAtTheEnd(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.accepted(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		f.auth.Run(ctx, func(err error) { t.Error(err) })
		if f.read(t).LastUsedAt == nil {
			t.Error("the last minute was not written")
		}
	})
}

func TestUseOutlivesAFailedWrite(t *testing.T) {
	t.Parallel()
	f, proxy := behindProxy(t)
	f.accepted(t)
	proxy.Refuse()
	if err := f.auth.flush(t.Context()); err == nil {
		t.Fatal("written to a database that is away")
	}
	proxy.Restore()
	f.flush(t)
	if f.read(t).LastUsedAt == nil {
		t.Error("the minute was lost")
	}
}

func TestUsageForgetsKeysThatAreNoLongerUsed(t *testing.T) {
	t.Parallel()
	var u usage
	now := time.Now()
	for i := range 1000 {
		u.note(uuid.New(), now.Add(time.Duration(-i)*time.Minute))
	}
	u.take(now)
	if len(u.dirty) != 0 || len(u.last) > 3 {
		t.Errorf("%d keys to write and %d remembered", len(u.dirty), len(u.last))
	}
}
