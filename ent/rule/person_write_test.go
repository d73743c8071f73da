package rule_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/apikey"
	"records/ent/auditevent"
	"records/ent/invitation"
	"records/ent/member"
	"records/ent/rule"
	"records/ent/session"
	"records/ent/user"
	"records/ent/workspace"
	"records/internal/viewer"
)

// writing is every way in which an owner may write to what is there, by its id.
var writing = map[string]func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error){
	"a key": func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error) {
		return c.APIKey.Update().Where(apikey.ID(id)).SetScope("write").Save(ctx)
	},
	"a key that is returned": func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error) {
		got, err := c.APIKey.Update().Where(apikey.ID(id)).ClearRevokedAt().SaveReturning(ctx)
		return len(got), err
	},
	"a key, or any": func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error) {
		return c.APIKey.Update().Where(apikey.Or(apikey.ID(id), apikey.IDNEQ(id)), apikey.ID(id)).SetName("taken").Save(ctx)
	},
	"an invitation": func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error) {
		return c.Invitation.Update().Where(invitation.ID(id)).SetRevokedAt(time.Now().UTC()).Save(ctx)
	},
	"an invitation's removal": func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error) {
		return c.Invitation.Delete().Where(invitation.ID(id)).Exec(ctx)
	},
	"a member": func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error) {
		return c.Member.Update().Where(member.ID(id)).SetRole("owner").Save(ctx)
	},
	"a member's removal": func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error) {
		return c.Member.Delete().Where(member.ID(id)).Exec(ctx)
	},
	"a user": func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error) {
		return c.User.Update().Where(user.ID(id)).SetName("taken").Save(ctx)
	},
	"a session's end": func(ctx context.Context, c *ent.Client, id uuid.UUID) (int, error) {
		return c.Session.Delete().Where(session.ID(id)).Exec(ctx)
	},
}

// Whoever owns a workspace writes to what is in it, and to nothing of another one.
func TestPeopleWriteToTheirOwn(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, b office) {
		before := w.staff(t, b)
		for name, write := range writing {
			of := func(o office) uuid.UUID {
				for kind, id := range map[string]uuid.UUID{"a key": o.key, "an invitation": o.invitation, "a member": o.member, "a user": o.user.ID, "a session": o.session} {
					if strings.HasPrefix(name, kind) {
						return id
					}
				}
				t.Fatalf("no id for %s", name)
				return uuid.Nil
			}
			if n, err := write(a.owner, w.client, of(b)); n != 0 || err != nil {
				t.Errorf("%s of another workspace: %d, %v", name, n, err)
			}
			inTx(t, w, func(c *ent.Client) {
				if n, err := write(a.owner, c, of(a)); n != 1 || err != nil {
					t.Errorf("%s: %d, %v", name, n, err)
				}
			})
		}
		if after := w.staff(t, b); after != before {
			t.Errorf("the other workspace changed:\nbefore: %s\nafter:  %s", before, after)
		}
	})
}

// What people create is in their workspace and under their own name, whatever they
// say.
func TestPeopleSignForThemselves(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, b office) {
		c := w.client
		key := func() *ent.APIKeyCreate {
			return c.APIKey.Create().SetName("made").SetHash(uuid.NewString()).SetPrefix("wrk_").SetScope("read")
		}
		event := func() *ent.AuditEventCreate { return c.AuditEvent.Create().SetAction("key.created").SetDetail("made") }
		invite := func() *ent.InvitationCreate {
			return c.Invitation.Create().SetHash(uuid.NewString()).SetRole("viewer").SetExpiresAt(time.Now().UTC())
		}
		before := w.staff(t, b)
		for name, err := range map[string]error{
			"a key elsewhere":               key().SetWorkspaceID(b.id).Exec(a.owner),
			"a key of another":              key().SetCreatedBy(b.user.ID).Exec(a.owner),
			"keys elsewhere":                c.APIKey.CreateBulk(key(), key().SetWorkspaceID(b.id)).Exec(a.owner),
			"an event elsewhere":            event().SetWorkspaceID(b.id).Exec(a.owner),
			"an event of another":           event().SetUserID(b.user.ID).Exec(a.owner),
			"an invitation elsewhere":       invite().SetWorkspaceID(b.id).Exec(a.owner),
			"an invitation of another":      invite().SetUserID(b.user.ID).Exec(a.owner),
			"a key by an edge elsewhere":    key().SetWorkspace(&ent.Workspace{ID: b.id}).Exec(a.owner),
			"a key by an edge to another":   key().SetCreatorID(b.user.ID).Exec(a.owner),
			"an event by an edge elsewhere": event().SetWorkspace(&ent.Workspace{ID: b.id}).Exec(a.owner),
		} {
			denied(t, name, err)
		}
		if after := w.staff(t, b); after != before {
			t.Errorf("the other workspace changed:\nbefore: %s\nafter:  %s", before, after)
		}
		if k := key().SaveX(a.developer); k.WorkspaceID != a.id || k.CreatedBy == nil || *k.CreatedBy != a.user.ID {
			t.Errorf("made %v", k)
		}
		if e := event().SaveX(a.developer); e.WorkspaceID != a.id || e.UserID == nil || *e.UserID != a.user.ID {
			t.Errorf("recorded %v", e)
		}
		if i := invite().SaveX(a.owner); i.WorkspaceID != a.id || i.UserID == nil || *i.UserID != a.user.ID {
			t.Errorf("invited %v", i)
		}
	})
}

// Somebody in two workspaces sees both where they choose one, and in the one nothing
// of the other.
func TestOneWorkspaceAtATime(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, b office) {
		second := w.client.Member.Create().SetWorkspaceID(b.id).SetUserID(a.user.ID).SetRole("owner").SaveX(rule.AsOperator(t.Context()))
		if got, want := ids(t, a.outside, w, "Workspace"), []uuid.UUID{a.id, b.id}; !slices.Equal(got, want) {
			t.Errorf("outside of any: workspaces %v, want %v", got, want)
		}
		if got, want := ids(t, a.outside, w, "Member"), []uuid.UUID{a.member, second.ID}; !slices.Equal(got, want) {
			t.Errorf("outside of any: memberships %v, want %v", got, want)
		}
		if got := ids(t, a.outside, w, "User"); !slices.Equal(got, []uuid.UUID{a.user.ID}) {
			t.Errorf("outside of any: users %v", got)
		}
		for schema, want := range map[string]uuid.UUID{"Workspace": a.id, "Member": a.member, "User": a.user.ID, "APIKey": a.key} {
			if got := ids(t, a.owner, w, schema); !slices.Equal(got, []uuid.UUID{want}) {
				t.Errorf("inside: %s %v, want %v", schema, got, want)
			}
		}
	})
}

// Colleagues are seen, also by what a query asks for beside them, and those who
// left by what they have done; a stranger is not.
func TestColleagues(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, b office) {
		operator := rule.AsOperator(t.Context())
		colleague := w.client.User.Create().SetName("colleague").SetEmail("colleague@example.com").SaveX(operator)
		w.client.Member.Create().SetWorkspaceID(a.id).SetUserID(colleague.ID).SetRole("owner").ExecX(operator)
		left := w.client.User.Create().SetName("left").SetEmail("left@example.com").SaveX(operator)
		w.client.AuditEvent.Create().SetWorkspaceID(a.id).SetUserID(left.ID).SetAction("key.created").SetDetail("made").ExecX(operator)
		if got, want := ids(t, a.reader, w, "User"), []uuid.UUID{a.user.ID, colleague.ID, left.ID}; !slices.Equal(got, want) {
			t.Errorf("users %v, want %v", got, want)
		}
		if got := w.client.User.Query().Where(user.ID(colleague.ID)).OnlyX(a.reader); got.Name != "colleague" {
			t.Errorf("asked for a colleague: %v", got)
		}
		if n := w.client.User.Query().Where(user.NameHasPrefix("bob")).CountX(a.reader); n != 0 {
			t.Errorf("%d strangers", n)
		}
		if n := w.client.User.Update().SetName("renamed").SaveX(a.owner); n != 1 {
			t.Errorf("an owner renames %d people, and not only themselves", n)
		}
		if got := w.client.User.GetX(operator, b.user.ID).Name; got != "bob" {
			t.Errorf("a stranger is now called %q", got)
		}
	})
}

// The edges of what is one's own lead to nothing of another workspace, not even
// where someone has planted a way there.
func TestEdgesOfPeople(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, b office) {
		operator := rule.AsOperator(t.Context())
		planted := w.client.AuditEvent.Create().SetWorkspaceID(a.id).SetKeyID(b.key).SetAction("key.created").SetDetail("planted").SaveX(operator)
		got := w.client.AuditEvent.Query().Where(auditevent.ID(planted.ID)).WithKey().WithUser().WithWorkspace().OnlyX(a.owner)
		if got.Edges.Key != nil || got.Edges.Workspace.ID != a.id {
			t.Errorf("eager: %v", got.Edges)
		}
		if _, err := got.QueryKey().Only(a.owner); !ent.IsNotFound(err) {
			t.Errorf("by the entity: %v", err)
		}
		if n := w.client.AuditEvent.Query().QueryKey().CountX(a.owner); n != 1 {
			t.Errorf("by the path: %d keys", n)
		}
		own := w.client.APIKey.Query().WithCreator().WithWorkspace().OnlyX(a.owner)
		if own.Edges.Creator.ID != a.user.ID || own.Edges.Workspace.ID != a.id {
			t.Errorf("of a key: %v", own.Edges)
		}
	})
}

// A key that asks is no person, even one with a user's workspace; and a person who
// comes with a key besides is both, each for their own.
func TestAKeyIsNoPerson(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, b office) {
		for schema := range people {
			if schema != "RecordCount" { // of the key's own records: see TestCountsAreOnesOwn
				allDenied(t, schema, reads(a.ctx, schemas(w.client)[schema]))
			}
			allDenied(t, schema, writes(a.ctx, schemas(w.client)[schema]))
		}
		both := viewer.NewContext(a.owner, viewer.Viewer{Workspace: b.id, Key: b.key, Scope: viewer.Write})
		if got := fmt.Sprint(w.client.APIKey.Query().IDsX(both), w.client.Workspace.Query().Where(workspace.IDNEQ(a.id)).CountX(both)); got != fmt.Sprint([]uuid.UUID{a.key}, 0) {
			t.Errorf("a person with another's key reads %s", got)
		}
	})
}
