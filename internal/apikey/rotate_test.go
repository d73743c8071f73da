package apikey

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/viewer"
)

func TestRotate(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		ctx, month := rule.AsOperator(t.Context()), time.Now().Add(30*24*time.Hour).UTC().Truncate(time.Millisecond)
		soonest := time.Now().Add(time.Minute).UTC().Truncate(time.Millisecond)
		for name, c := range map[string]struct {
			expires *time.Time
			overlap time.Duration
			ends    time.Duration // of the old key, from now
		}{
			"now":             {nil, 0, 0},
			"an hour":         {nil, time.Hour, time.Hour},
			"the most":        {&month, MaxOverlap, MaxOverlap},
			"its own is soon": {&soonest, time.Hour, time.Minute},
		} {
			old, oldToken := f.create(t, Request{Workspace: f.workspace, Name: name, Scope: viewer.Read, Expires: c.expires})
			key, token, err := Rotate(ctx, f.client, old.ID, c.overlap)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if key.ID == old.ID || token == oldToken || key.Name != name || key.Scope != "read" || key.WorkspaceID != f.workspace || key.Replaces == nil || *key.Replaces != old.ID {
				t.Errorf("%s: %v", name, key)
			}
			if (key.ExpiresAt == nil) != (c.expires == nil) || c.expires != nil && !near(key.ExpiresAt.Sub(key.CreatedAt), c.expires.Sub(old.CreatedAt)) {
				t.Errorf("%s: expires %v, of %v", name, key.ExpiresAt, c.expires)
			}
			old = f.client.APIKey.GetX(ctx, old.ID)
			if old.RevokedAt != nil || !near(time.Until(*old.ExpiresAt), c.ends) {
				t.Errorf("%s: the old key ends in %s, want %s", name, time.Until(*old.ExpiresAt), c.ends)
			}
			if _, err := f.auth.Authenticate(t.Context(), token); err != nil {
				t.Errorf("%s: the new token: %v", name, err)
			}
			if _, err := f.auth.Authenticate(t.Context(), oldToken); (err == nil) != (c.overlap > 0) {
				t.Errorf("%s: the old token: %v", name, err)
			}
			both := strings.Join(append(f.recorded(t, old.ID), f.recorded(t, key.ID)...), "\n")
			if !strings.Contains(both, "operator key.rotated: replaced by "+key.Prefix+"…, expiry ") || !strings.Contains(both, ", in the place of "+old.Prefix+"…") || strings.Contains(both, token) {
				t.Errorf("%s: recorded %s", name, both)
			}
			if _, _, err := Rotate(ctx, f.client, old.ID, c.overlap); c.overlap > 0 && !errors.Is(err, ErrReplaced) || c.overlap == 0 && !errors.Is(err, ErrExpired) {
				t.Errorf("%s: rotated twice: %v", name, err)
			}
		}
	})
}

// near allows for a busy machine.
func near(a, b time.Duration) bool { return (a - b).Abs() < 20*time.Second }

func TestRotateRefuses(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		for _, overlap := range []time.Duration{-1, MaxOverlap + 1} {
			if _, _, err := Rotate(rule.AsOperator(t.Context()), f.client, f.key.ID, overlap); err == nil || err.Error() != "the overlap must be between 0 and 168h0m0s" {
				t.Errorf("%s: %v", overlap, err)
			}
		}
		if _, _, err := Rotate(rule.AsOperator(t.Context()), f.client, uuid.New(), 0); !errors.Is(err, ErrNotFound) {
			t.Errorf("no key: %v", err)
		}
	})
}

// Of many who rotate a key at once one does.
func TestConcurrentRotations(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		var all sync.WaitGroup
		var done atomic.Int64
		for range 8 {
			all.Go(func() {
				_, _, err := Rotate(rule.AsOperator(t.Context()), f.client, f.key.ID, time.Hour)
				if err == nil {
					done.Add(1)
				} else if !errors.Is(err, ErrReplaced) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		keys, err := List(rule.AsOperator(t.Context()), f.client, f.workspace)
		if err != nil || done.Load() != 1 || len(keys) != 2 {
			t.Errorf("%d rotated, %d keys, %v", done.Load(), len(keys), err)
		}
	})
}

func TestStates(t *testing.T) {
	t.Parallel()
	now := time.Now()
	at := func(d time.Duration) *time.Time { m := now.Add(d); return &m }
	for want, keys := range map[State][]ent.APIKey{
		Active:   {{}, {ExpiresAt: at(soon)}},
		Expiring: {{ExpiresAt: at(soon - 1)}, {ExpiresAt: at(1)}},
		Expired:  {{ExpiresAt: at(0)}, {ExpiresAt: at(-time.Hour)}},
		Revoked:  {{RevokedAt: at(-1)}, {RevokedAt: at(-1), ExpiresAt: at(-1)}, {RevokedAt: at(-1), ExpiresAt: at(1)}},
	} {
		for i := range keys {
			if got := StateOf(&keys[i], now); got != want || got.Ended() != (want == Expired || want == Revoked) {
				t.Errorf("%v is %s, want %s", keys[i], got, want)
			}
		}
	}
}
