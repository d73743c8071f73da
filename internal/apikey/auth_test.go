package apikey

import (
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent/rule"
	"records/internal/viewer"
)

func TestAuthenticate(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if v := f.accepted(t); v != (viewer.Viewer{Workspace: f.workspace, Key: f.key.ID, Scope: viewer.Write}) {
			t.Errorf("got %v", v)
		}
		for _, token := range []string{"", "wrk_", f.token[:39], f.token + "0", "x" + f.token[1:], f.key.Prefix, f.key.Hash, " " + f.token} {
			f.refused(t, token)
		}
		if n := f.reads.Load(); n != 1 {
			t.Errorf("%d look-ups; only the well-formed token is worth one", n)
		}
		f.refused(t, newToken())
		if n := f.reads.Load(); n != 2 {
			t.Errorf("%d look-ups; want one more for an unknown key", n)
		}
	})
}

// A key that is guessed costs no statement and no memory: its checksum is wrong. One
// that is like a real key learns nothing from that either, for the database is asked
// for the SHA-256 of a whole token, and nothing compares the token itself.
func TestGuessedKeysCostNothing(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		for n := range 2000 {
			guess := newToken()
			if n%2 == 0 { // like the real one up to somewhere
				guess = f.token[:n%(len(f.token)-checksumLength)] + guess[n%(len(f.token)-checksumLength):]
			}
			wrong := checksumLength - n%checksumLength
			f.refused(t, guess[:len(guess)-wrong]+strings.Repeat("?", wrong))
			f.refused(t, guess[:len(guess)-checksumLength]+checksum(guess))
		}
		if n := f.reads.Load() + f.refreshes.Load() + f.writes.Load(); n != 0 {
			t.Errorf("%d statements", n)
		}
		if s := f.auth.Stats(); s.Known+s.Unknown != 0 {
			t.Errorf("remembered: %+v", s)
		}
	})
}

func TestExpiry(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		past, soon := time.Now().Add(-time.Millisecond).UTC(), time.Now().Add(2*time.Second).UTC()
		_, gone := f.create(t, Request{Workspace: f.workspace, Name: "gone", Scope: viewer.Read, Expires: &past})
		_, going := f.create(t, Request{Workspace: f.workspace, Name: "going", Scope: viewer.Read, Expires: &soon})
		f.refused(t, gone)
		if _, err := f.auth.Authenticate(t.Context(), going); err != nil && time.Now().Before(soon) {
			t.Error(err)
		}
		time.Sleep(time.Until(soon) - 50*time.Millisecond)
		_, _ = f.auth.Authenticate(t.Context(), going) // now it is in the cache
		time.Sleep(time.Until(soon))
		f.refused(t, going)
	})
}

// However many requests come in with one key at once, the database is asked once.
func TestOneLookUpForConcurrentMisses(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.delay = 100 * time.Millisecond
		unknown := newToken()
		start := time.Now()
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if v, err := f.auth.Authenticate(t.Context(), f.token); err != nil || v.Key != f.key.ID {
					t.Errorf("%v, %v", v, err)
				}
			})
			all.Go(func() { f.refused(t, unknown) })
		}
		all.Wait()
		// A machine that is busy for longer than an answer holds asks again.
		if n, most := f.reads.Load(), 2+2*int64(time.Since(start)/life); n > most {
			t.Errorf("%d look-ups for two keys; want %d", n, most)
		}
	})
}

// A change holds within a second of its end, even where the key is in constant
// use, and a key that was refused once stays refused.
func TestChangesHoldWithinASecond(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if f.accepted(t).Scope != viewer.Write {
			t.Fatal("the key's scope is not write")
		}
		if err := SetScope(rule.AsOperator(t.Context()), f.client, f.key.ID, viewer.Read); err != nil {
			t.Fatal(err)
		}
		f.changed(t, func(v viewer.Viewer, err error) bool { return err == nil && v.Scope == viewer.Read })
		if err := Revoke(rule.AsOperator(t.Context()), f.client, f.key.ID); err != nil {
			t.Fatal(err)
		}
		f.changed(t, func(_ viewer.Viewer, err error) bool { return errors.Is(err, ErrRefused) })
	})
}

// changed uses the key for two seconds: within one its answer must have become
// the wanted one, and then stay so.
func (f *fixture) changed(t *testing.T, wanted func(viewer.Viewer, error) bool) {
	t.Helper()
	start := time.Now()
	for changed := false; time.Since(start) < 2*time.Second; time.Sleep(time.Millisecond) {
		arrived := time.Since(start)
		switch is := wanted(f.auth.Authenticate(t.Context(), f.token)); {
		case !is && arrived > time.Second:
			t.Fatalf("%s after the change it does not hold", arrived)
		case !is && changed:
			t.Fatal("the change was taken back")
		default:
			changed = is
		}
	}
}

func TestTwoReplicas(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		second := NewAuthenticator(f.client)
		for _, a := range []*Authenticator{f.auth, second} {
			if _, err := a.Authenticate(t.Context(), f.token); err != nil {
				t.Fatal(err)
			}
		}
		if err := Revoke(rule.AsOperator(t.Context()), f.client, f.key.ID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		for _, a := range []*Authenticator{f.auth, second} {
			if _, err := a.Authenticate(t.Context(), f.token); !errors.Is(err, ErrRefused) {
				t.Errorf("a second after the revocation: %v", err)
			}
		}
	})
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	c := newCache()
	good := digest{1}
	c.put(good, entry{viewer: viewer.Viewer{Key: uuid.New()}})
	for range 3 * maxUnknown {
		c.put(sha256.Sum256([]byte(newToken())), entry{})
	}
	if n := c.unknown.Len(); n != maxUnknown {
		t.Errorf("%d keys that there are not", n)
	}
	if _, ok := c.get(good); !ok {
		t.Error("wrong keys pushed out a good one")
	}
	for range 2 * maxKeys {
		c.put(sha256.Sum256([]byte(newToken())), entry{viewer: viewer.Viewer{Key: uuid.New()}})
		if _, ok := c.get(good); !ok {
			t.Fatal("a key in constant use was pushed out")
		}
	}
	if n := c.known.Len(); n != maxKeys {
		t.Errorf("%d keys", n)
	}
}
