package apikey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/privacy"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/apikey"
	"records/ent/auditevent"
	"records/ent/member"
	"records/ent/rule"
	"records/internal/account"
	"records/internal/viewer"
)

// person returns a context in which a new user acts with a role in a workspace.
func (f *fixture) person(t *testing.T, workspace uuid.UUID, role viewer.Role) (context.Context, uuid.UUID) {
	t.Helper()
	operator := rule.AsOperator(t.Context())
	u, err := f.client.User.Create().SetEmail(uuid.NewString() + "@example.com").SetName("A person").Save(operator)
	if err != nil {
		t.Fatal(err)
	}
	f.client.Member.Create().SetWorkspaceID(workspace).SetUserID(u.ID).SetRole(string(role)).ExecX(operator)
	return viewer.NewPersonContext(t.Context(), viewer.Person{User: u.ID, Workspace: workspace, Role: role}), u.ID
}

// recorded is what was done to a key, oldest first: who, what, and in which words.
func (f *fixture) recorded(t *testing.T, key uuid.UUID) (all []string) {
	t.Helper()
	events, err := f.client.AuditEvent.Query().Where(auditevent.KeyID(key)).Order(ent.Asc(auditevent.FieldID)).All(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		who := "operator"
		if e.UserID != nil {
			who = e.UserID.String()
		}
		all = append(all, who+" "+e.Action+": "+e.Detail)
	}
	return all
}

var (
	never  *time.Time
	in2099 = time.Date(2099, 1, 2, 3, 4, 5, 0, time.UTC)
)

// changes is every change of a key, in an order in which each changes something.
var changes = []struct {
	do   func(context.Context, *ent.Client, uuid.UUID) error
	told string
}{
	{func(ctx context.Context, c *ent.Client, id uuid.UUID) error { return Rename(ctx, c, id, "<b>") }, "key.renamed: from “test” to “<b>”"},
	{func(ctx context.Context, c *ent.Client, id uuid.UUID) error {
		return SetScope(ctx, c, id, viewer.Read)
	}, "key.scope_changed: from write to read"},
	{func(ctx context.Context, c *ent.Client, id uuid.UUID) error { return SetExpiry(ctx, c, id, &in2099) }, "key.expiry_changed: from no expiry to expiry 2099-01-02 03:04:05 UTC"},
	{func(ctx context.Context, c *ent.Client, id uuid.UUID) error { return SetExpiry(ctx, c, id, never) }, "key.expiry_changed: from expiry 2099-01-02 03:04:05 UTC to no expiry"},
	{Revoke, "key.revoked: “<b>”"},
}

// Each change is recorded once, with who made it; what changes nothing is not.
func TestChangesAreRecorded(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		developer, id := f.person(t, f.workspace, viewer.RoleDeveloper)
		for who, ctx := range map[string]context.Context{"operator": rule.AsOperator(t.Context()), id.String(): developer} {
			key, _, err := Create(ctx, f.client, Request{Workspace: f.workspace, Name: "test", Scope: viewer.Write})
			if err != nil {
				t.Fatal(err)
			}
			if (key.CreatedBy == nil) != (who == "operator") || key.CreatedBy != nil && *key.CreatedBy != id {
				t.Errorf("created by %v, want %s", key.CreatedBy, who)
			}
			want := []string{who + " key.created: “test”, scope write, no expiry"}
			for _, change := range changes {
				want = append(want, who+" "+change.told)
				for range 2 { // the second time changes nothing
					if err := change.do(ctx, f.client, key.ID); err != nil {
						t.Errorf("%s: %v", change.told, err)
					}
				}
			}
			if got := f.recorded(t, key.ID); !slices.Equal(got, want) {
				t.Errorf("recorded %q\nwant %q", got, want)
			}
		}
	})
}

// A key that has ended stays as it is, but that an expired one can be revoked.
func TestEndedKeysStay(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		ctx, past := rule.AsOperator(t.Context()), time.Now().Add(-time.Minute).UTC().Truncate(time.Millisecond)
		expired, _ := f.create(t, Request{Workspace: f.workspace, Name: "test", Scope: viewer.Write, Expires: &past})
		if err := Revoke(ctx, f.client, f.key.ID); err != nil {
			t.Fatal(err)
		}
		for want, key := range map[error]*ent.APIKey{ErrRevoked: f.key, ErrExpired: expired} {
			before := fmt.Sprint(f.client.APIKey.GetX(ctx, key.ID), f.recorded(t, key.ID))
			for _, change := range changes[:4] {
				if err := change.do(ctx, f.client, key.ID); !errors.Is(err, want) {
					t.Errorf("%s: %v, want %v", change.told, err, want)
				}
			}
			if _, _, err := Rotate(ctx, f.client, key.ID, time.Hour); !errors.Is(err, want) {
				t.Errorf("rotated: %v, want %v", err, want)
			}
			if after := fmt.Sprint(f.client.APIKey.GetX(ctx, key.ID), f.recorded(t, key.ID)); after != before {
				t.Errorf("changed from %s\nto %s", before, after)
			}
		}
		if err := Revoke(ctx, f.client, expired.ID); err != nil || f.client.APIKey.GetX(ctx, expired.ID).RevokedAt == nil {
			t.Errorf("revoking an expired key: %v", err)
		}
	})
}

func TestExpiryIsInTheFuture(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		past := time.Now().Add(-time.Millisecond)
		if err := SetExpiry(rule.AsOperator(t.Context()), f.client, f.key.ID, &past); !errors.Is(err, ErrPast) || f.read(t).ExpiresAt != nil {
			t.Errorf("%v", err)
		}
	})
}

// An expiry that SQLite could not read back is refused, and the last that it can is
// one as any other.
func TestExpiryCanBeRead(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		ctx := rule.AsOperator(t.Context())
		for _, text := range []string{"9999-12-31T23:30:00-01:00", "9999-12-31T23:59:59.999-00:01"} {
			far, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := Create(ctx, f.client, Request{Workspace: f.workspace, Name: "far", Scope: viewer.Read, Expires: &far}); !errors.Is(err, ErrFar) {
				t.Errorf("created: %v", err)
			}
			if err := SetExpiry(ctx, f.client, f.key.ID, &far); !errors.Is(err, ErrFar) {
				t.Errorf("changed: %v", err)
			}
		}
		if keys, err := List(ctx, f.client, f.workspace); err != nil || len(keys) != 1 || keys[0].ExpiresAt != nil {
			t.Errorf("%v, %v", keys, err)
		}
		last := time.Date(9999, 12, 31, 23, 59, 59, 999_000_000, time.UTC)
		east := last.In(time.FixedZone("", 3600)) // where it is the year 10000
		if err := SetExpiry(ctx, f.client, f.key.ID, &east); err != nil {
			t.Fatal(err)
		}
		next, _, err := Rotate(ctx, f.client, f.key.ID, time.Hour)
		if err != nil || !next.ExpiresAt.Equal(last) {
			t.Fatalf("%v, %v", next, err)
		}
		if err := Revoke(ctx, f.client, next.ID); err != nil {
			t.Error(err)
		}
		if keys, err := List(ctx, f.client, f.workspace); err != nil || len(keys) != 2 || !keys[0].ExpiresAt.Equal(last) {
			t.Errorf("%v, %v", keys, err)
		}
	})
}

// What a role may not do is denied, and another workspace's key is not there.
func TestChangesAskThePolicies(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		other := f.newWorkspace(t, "other")
		looker, _ := f.person(t, f.workspace, viewer.RoleViewer)
		stranger, _ := f.person(t, other, viewer.RoleOwner)
		before := fmt.Sprint(f.read(t), f.recorded(t, f.key.ID))
		rotate := func(ctx context.Context, c *ent.Client, id uuid.UUID) error {
			_, _, err := Rotate(ctx, c, id, 0)
			return err
		}
		all := []func(context.Context, *ent.Client, uuid.UUID) error{rotate}
		for _, change := range changes {
			all = append(all, change.do)
		}
		for i, do := range all {
			for who, ctx := range map[string]context.Context{
				"nobody": t.Context(), "a viewer": looker,
				"a key": viewer.NewContext(t.Context(), viewer.Viewer{Workspace: f.workspace, Key: f.key.ID, Scope: viewer.Write}),
			} {
				if err := do(ctx, f.client, f.key.ID); !errors.Is(err, privacy.Deny) {
					t.Errorf("%d by %s: %v, want a denial", i, who, err)
				}
			}
			foreign, absent := do(stranger, f.client, f.key.ID), do(stranger, f.client, uuid.New())
			if !errors.Is(foreign, ErrNotFound) || foreign.Error() != absent.Error() {
				t.Errorf("%d by another's owner: %v; absent %v", i, foreign, absent)
			}
		}
		for who, ctx := range map[string]context.Context{"a viewer": looker, "another's owner": stranger} {
			if _, _, err := Create(ctx, f.client, Request{Workspace: f.workspace, Name: "test", Scope: viewer.Write}); !errors.Is(err, privacy.Deny) {
				t.Errorf("created by %s: %v, want a denial", who, err)
			}
		}
		if after := fmt.Sprint(f.read(t), f.recorded(t, f.key.ID)); after != before {
			t.Errorf("changed from %s\nto %s", before, after)
		}
		if keys, err := List(stranger, f.client, f.workspace); err != nil || len(keys) != 0 {
			t.Errorf("another's owner lists %v, %v", keys, err)
		}
	})
}

// unrecording is a driver whose transactions cannot write what they record.
type unrecording struct{ dialect.Driver }

type unrecordingTx struct{ dialect.Tx }

var errFull = errors.New("the record is full")

func (d unrecording) Tx(ctx context.Context) (dialect.Tx, error) {
	tx, err := d.Driver.Tx(ctx)
	return unrecordingTx{tx}, err
}

func (tx unrecordingTx) Exec(ctx context.Context, query string, args, v any) error {
	if strings.Contains(query, "audit_events") {
		return errFull
	}
	return tx.Tx.Exec(ctx, query, args, v)
}

// What cannot be recorded is not done, and what is done is recorded, also where
// many write at once and SQLite commits others' writes together.
func TestChangeAndRecordAreOne(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		ctx, failing := rule.AsOperator(t.Context()), ent.NewClient(ent.Driver(unrecording{f.Driver}))
		if key, token, err := Create(ctx, failing, Request{Workspace: f.workspace, Name: "lost", Scope: viewer.Read}); !errors.Is(err, errFull) || key != nil || token != "" {
			t.Errorf("created %v, %v", key, err)
		}
		var all sync.WaitGroup
		ids := []uuid.UUID{f.key.ID}
		for range 7 {
			key, _ := f.create(t, Request{Workspace: f.workspace, Name: "test", Scope: viewer.Write})
			ids = append(ids, key.ID)
		}
		for _, id := range ids {
			all.Go(func() {
				for i := range 4 {
					if err := Rename(ctx, f.client, id, fmt.Sprint("name ", i)); err != nil {
						t.Error(err)
					}
					if err := Rename(ctx, failing, id, "unrecorded"); !errors.Is(err, errFull) {
						t.Error(err)
					}
				}
			})
			all.Go(func() { // writes alone, which may be committed together
				for range 8 {
					f.client.APIKey.Update().Where(apikey.ID(id)).SetLastUsedAt(in2099).ExecX(ctx)
				}
			})
		}
		all.Wait()
		for _, id := range ids {
			if name, told := f.client.APIKey.GetX(ctx, id).Name, f.recorded(t, id); name != "name 3" || len(told) != 5 {
				t.Errorf("the name %q, recorded %q", name, told)
			}
		}
		if keys, err := List(ctx, f.client, f.workspace); err != nil || len(keys) != len(ids) {
			t.Errorf("%d keys, %v", len(keys), err)
		}
	})
}

// Of two who change a key to the same at once one does, and it is recorded once.
func TestConcurrentChangesAreRecordedOnce(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := SetScope(rule.AsOperator(t.Context()), f.client, f.key.ID, viewer.Read); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if told := f.recorded(t, f.key.ID); len(told) != 2 {
			t.Errorf("recorded %q", told)
		}
	})
}

// A form makes one key of a workspace, whatever another workspace has made with it.
func TestAFormMakesOneKey(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		form, other := uuid.New(), f.newWorkspace(t, "other")
		first, _ := f.create(t, Request{Workspace: f.workspace, Name: "first", Scope: viewer.Read, Form: &form})
		if _, token, err := Create(rule.AsOperator(t.Context()), f.client, Request{Workspace: f.workspace, Name: "second", Scope: viewer.Read, Form: &form}); !errors.Is(err, ErrMade) || token != "" {
			t.Errorf("sent twice: %q, %v", token, err)
		}
		if told := f.recorded(t, first.ID); len(told) != 1 {
			t.Errorf("recorded %q", told)
		}
		f.create(t, Request{Workspace: other, Name: "another's", Scope: viewer.Read, Form: &form})
	})
}

// Who was removed or lowered since their request began does nothing more by it.
func TestRoleIsReadAgain(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		operator := rule.AsOperator(t.Context())
		for what, lose := range map[string]func(member *ent.MemberClient, user uuid.UUID) error{
			"removed": func(m *ent.MemberClient, user uuid.UUID) error {
				_, err := m.Delete().Where(member.UserID(user)).Exec(operator)
				return err
			},
			"lowered": func(m *ent.MemberClient, user uuid.UUID) error {
				return m.Update().Where(member.UserID(user)).SetRole(string(viewer.RoleViewer)).Exec(operator)
			},
		} {
			ctx, user := f.person(t, f.workspace, viewer.RoleDeveloper)
			if err := lose(f.client.Member, user); err != nil {
				t.Fatal(err)
			}
			before := fmt.Sprint(f.read(t), f.recorded(t, f.key.ID))
			for i, change := range changes {
				if err := change.do(ctx, f.client, f.key.ID); !errors.Is(err, privacy.Deny) && !errors.Is(err, account.ErrNoMember) {
					t.Errorf("%s, change %d: %v", what, i, err)
				}
			}
			if _, token, err := Create(ctx, f.client, Request{Workspace: f.workspace, Name: "late", Scope: viewer.Write}); err == nil || token != "" {
				t.Errorf("%s: a key was made, %v", what, err)
			}
			if after := fmt.Sprint(f.read(t), f.recorded(t, f.key.ID)); after != before {
				t.Errorf("%s: changed from %s\nto %s", what, before, after)
			}
		}
	})
}
