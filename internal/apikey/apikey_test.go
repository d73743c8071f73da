package apikey

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/database"
	"records/internal/viewer"
)

func TestCreate(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		expires := time.Date(2099, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
		key, token := f.create(t, Request{Workspace: f.workspace, Name: " Ä name ", Scope: viewer.Read, Expires: &expires})
		if !WellFormed(token) || key.Prefix != token[:12] || key.Hash != digestOf(token).stored() || strings.Contains(key.String(), key.Hash) {
			t.Errorf("token %s, key %v", token, key)
		}
		if key.Name != " Ä name " || key.Scope != "read" || key.WorkspaceID != f.workspace || key.LastUsedAt != nil || key.RevokedAt != nil {
			t.Errorf("key %v", key)
		}
		if key.ExpiresAt == nil || !key.ExpiresAt.Equal(expires) || time.Since(key.CreatedAt) > time.Minute {
			t.Errorf("key %v", key)
		}
	})
}

func TestCreateRefuses(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		for name, want := range map[string]string{
			" \u00a0":                "the key's name must not be blank",
			strings.Repeat("ä", 256): "the key's name must be at most 255 characters long",
			"a\x00":                  "the key's name must not contain the NUL character",
		} {
			if _, _, err := Create(rule.AsOperator(t.Context()), f.client, Request{Workspace: f.workspace, Name: name, Scope: viewer.Read}); err == nil || err.Error() != want {
				t.Errorf("%.9q: %v; want %s", name, err, want)
			}
		}
		key, token, err := Create(rule.AsOperator(t.Context()), f.client, Request{Workspace: uuid.New(), Name: "a", Scope: viewer.Read})
		if key != nil || token != "" || !database.IsForeignKeyViolation(err) {
			t.Errorf("a key of no workspace: %v, %q, %v", key, token, err)
		}
	})
}

func TestList(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		second, _ := f.create(t, Request{Workspace: f.workspace, Name: "second", Scope: viewer.Read})
		third, _ := f.create(t, Request{Workspace: f.workspace, Name: "second", Scope: viewer.Read})
		other := f.newWorkspace(t, "other")
		f.create(t, Request{Workspace: other, Name: "other", Scope: viewer.Read})
		keys, err := List(rule.AsOperator(t.Context()), f.client, f.workspace)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Collect(func(yield func(uuid.UUID) bool) {
			for _, k := range keys {
				if !yield(k.ID) {
					return
				}
			}
		})
		if want := []uuid.UUID{third.ID, second.ID, f.key.ID}; !slices.Equal(got, want) {
			t.Errorf("%v; want %v", got, want)
		}
	})
}

func TestChangesOfNoKey(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		if err := SetScope(rule.AsOperator(t.Context()), f.client, uuid.New(), viewer.Read); !errors.Is(err, ErrNotFound) {
			t.Errorf("SetScope: %v", err)
		}
		if err := Revoke(rule.AsOperator(t.Context()), f.client, uuid.New()); !errors.Is(err, ErrNotFound) {
			t.Errorf("Revoke: %v", err)
		}
		if k := f.read(t); k.RevokedAt != nil || k.Scope != "write" {
			t.Errorf("another key was changed: %v", k)
		}
	})
}

func TestSetScopeTouchesOneKey(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		other, _ := f.create(t, Request{Workspace: f.workspace, Name: "other", Scope: viewer.Write})
		if err := SetScope(rule.AsOperator(t.Context()), f.client, other.ID, viewer.Read); err != nil {
			t.Fatal(err)
		}
		if k := f.read(t); k.Scope != "write" || k.Hash != f.key.Hash {
			t.Errorf("another key was changed: %v", k)
		}
	})
}

func TestRevokeTwiceKeepsTheFirstMoment(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		var moments []ent.APIKey
		for range 2 {
			if err := Revoke(rule.AsOperator(t.Context()), f.client, f.key.ID); err != nil {
				t.Fatal(err)
			}
			moments = append(moments, *f.read(t))
			time.Sleep(2 * time.Millisecond)
		}
		if first, second := moments[0].RevokedAt, moments[1].RevokedAt; first == nil || !first.Equal(*second) {
			t.Errorf("revoked at %v, then at %v", first, second)
		}
	})
}
