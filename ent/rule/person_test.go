package rule_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/privacy"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/viewer"
)

// acts is the least role that may do something to a schema's rows; "" is nobody.
type acts struct{ read, create, update, remove viewer.Role }

const anyone viewer.Role = "anyone who is signed in"

// people is what people may do to each schema that is no record. One that is new
// fails the tests until it stands here.
var people = map[string]acts{
	"APIKey":         {read: viewer.RoleViewer, create: viewer.RoleDeveloper, update: viewer.RoleDeveloper},
	"AuditEvent":     {read: viewer.RoleViewer, create: viewer.RoleDeveloper},
	"Invitation":     {read: viewer.RoleOwner, create: viewer.RoleOwner, update: viewer.RoleOwner, remove: viewer.RoleOwner},
	"KeyGeneration":  {},
	"KeyTraffic":     {read: viewer.RoleViewer},
	"Member":         {read: anyone, update: viewer.RoleOwner, remove: viewer.RoleOwner},
	"RecordCount":    {},
	"RefusedRequest": {read: viewer.RoleViewer},
	"Session":        {read: anyone, remove: anyone},
	"User":           {read: anyone, update: anyone},
	"Workspace":      {read: anyone},
}

// of is the least role for an operation, by the name that reads and writes give it.
func (a acts) of(operation string) viewer.Role {
	switch {
	case operation == "UpdateOne" || operation == "UpdateOneID":
		return "" // they read their row back by id alone
	case strings.HasPrefix(operation, "Create"):
		return a.create
	case strings.HasPrefix(operation, "Update"), operation == "Returning":
		return a.update
	case strings.HasPrefix(operation, "Delete"):
		return a.remove
	}
	return a.read
}

// office is a workspace with its people and one of all that they act on.
type office struct {
	party
	user                                    *ent.User // a member of it
	member, key, event, invitation, session uuid.UUID
	traffic, refused                        uuid.UUID
	reader, developer, owner, outside       context.Context
}

func (w world) office(t *testing.T, p party, name string) office {
	t.Helper()
	operator, c := rule.AsOperator(t.Context()), w.client
	o := office{party: p, user: c.User.Create().SetName(name).SetEmail(name + "@example.com").SaveX(operator)}
	o.member = c.Member.Create().SetWorkspaceID(p.id).SetUserID(o.user.ID).SetRole("viewer").SaveX(operator).ID
	o.key = c.APIKey.Create().SetWorkspaceID(p.id).SetName(name).SetHash(name).SetPrefix(name).SetScope("read").SetCreatedBy(o.user.ID).SaveX(operator).ID
	o.event = c.AuditEvent.Create().SetWorkspaceID(p.id).SetKeyID(o.key).SetUserID(o.user.ID).SetAction("key.created").SetDetail(name).SaveX(operator).ID
	o.invitation = c.Invitation.Create().SetWorkspaceID(p.id).SetHash(name).SetRole("owner").SetExpiresAt(time.Now().UTC()).SaveX(operator).ID
	o.session = c.Session.Create().SetUserID(o.user.ID).SetHash(name).SetData([]byte(name)).SetExpiresAt(time.Now().UTC()).SaveX(operator).ID
	now := time.Now().UTC()
	o.traffic = c.KeyTraffic.Create().SetWorkspaceID(p.id).SetKeyID(o.key).SetStart(now).SetSeconds(60).SetStatus(200).SetRequests(1).SaveX(operator).ID
	o.refused = c.RefusedRequest.Create().SetID(uuid.Must(uuid.NewV7())).SetWorkspaceID(p.id).SetKeyID(o.key).SetAt(now).
		SetStatus(403).SetCode("read_only_key").SetMethod("POST").SetRoute("/api/v1/tasks").SetRequestID(name).SaveX(operator).ID
	in := func(role viewer.Role) context.Context {
		return viewer.NewPersonContext(t.Context(), viewer.Person{User: o.user.ID, Workspace: p.id, Role: role})
	}
	o.reader, o.developer, o.owner = in(viewer.RoleViewer), in(viewer.RoleDeveloper), in(viewer.RoleOwner)
	o.outside = viewer.NewPersonContext(t.Context(), viewer.Person{User: o.user.ID})
	return o
}

// eachOffice runs a test with two workspaces and their people on both databases.
func eachOffice(t *testing.T, f func(t *testing.T, w world, a, b office)) {
	each(t, func(t *testing.T, w world) { f(t, w, w.office(t, w.a, "ann"), w.office(t, w.b, "bob")) })
}

// roles are who a person can be, from the least to the most, with what they may.
func (o office) roles() map[viewer.Role]context.Context {
	return map[viewer.Role]context.Context{anyone: o.outside, viewer.RoleViewer: o.reader, viewer.RoleDeveloper: o.developer, viewer.RoleOwner: o.owner}
}

// may reports whether a role may what another may.
func may(role, needed viewer.Role) bool { return needed == anyone || role.May(needed) }

// staff is every row of a workspace that is no record, as the database has it.
func (w world) staff(t *testing.T, o office) string {
	t.Helper()
	var b strings.Builder
	for _, table := range []string{"members", "api_keys", "audit_events", "invitations", "key_traffic", "refused_requests"} {
		fmt.Fprintln(&b, table, w.rows(t, fmt.Sprintf("SELECT * FROM %s WHERE workspace_id = '%s' ORDER BY id", table, o.id)))
	}
	fmt.Fprintln(&b, w.rows(t, fmt.Sprintf("SELECT * FROM users WHERE id = '%s'", o.user.ID)))
	fmt.Fprintln(&b, w.rows(t, fmt.Sprintf("SELECT * FROM sessions WHERE user_id = '%s'", o.user.ID)))
	fmt.Fprintln(&b, w.rows(t, fmt.Sprintf("SELECT * FROM workspaces WHERE id = '%s'", o.id)))
	return b.String()
}

// Every operation on every schema is denied to every role that may not, and to no
// other; whoever may everything in one workspace changes nothing of another.
func TestWhatPeopleMay(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, b office) {
		before := w.staff(t, b)
		for role, ctx := range a.roles() {
			inTx(t, w, func(client *ent.Client) {
				for schema, c := range schemas(client) {
					allowed, known := people[schema]
					if isRecord(schema) {
						continue
					}
					if !known {
						t.Errorf("nobody has said what people may do to %s: add it to people in person_test.go", schema)
					}
					outcomes := reads(ctx, c)
					for op, err := range writes(ctx, c) {
						outcomes[op] = err
					}
					for op, err := range outcomes {
						if needed := allowed.of(op); errors.Is(err, privacy.Deny) == may(role, needed) {
							t.Errorf("%s %s by %q, where it takes %q: %v", schema, op, role, needed, err)
						}
					}
				}
				operator := rule.AsOperator(t.Context())
				if n := client.Member.Query().CountX(operator) + client.Invitation.Query().CountX(operator); role == viewer.RoleOwner && n != 2 {
					t.Errorf("%d are left where an owner has emptied a workspace, want the other's member and invitation", n)
				}
			})
		}
		if after := w.staff(t, b); after != before {
			t.Errorf("the other workspace changed:\nbefore: %s\nafter:  %s", before, after)
		}
	})
}

// A person opens no record, whatever their role.
func TestPeopleReachNoRecord(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, _ office) {
		w.unchanged(t, func() {
			for role, ctx := range a.roles() {
				for schema, c := range schemas(w.client) {
					if isRecord(schema) {
						allDenied(t, string(role)+": "+schema, reads(ctx, c))
						allDenied(t, string(role)+": "+schema, writes(ctx, c))
					}
				}
			}
		})
	})
}

// What is no role that there is may nothing in a workspace.
func TestNoRole(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, _ office) {
		for _, p := range []viewer.Person{
			{Workspace: a.id, Role: viewer.RoleOwner}, // nobody
			{User: a.user.ID, Workspace: a.id, Role: "admin"},
			{User: a.user.ID, Workspace: a.id},
			{User: a.user.ID, Role: viewer.RoleOwner},
		} {
			ctx := viewer.NewPersonContext(t.Context(), p)
			for _, schema := range []string{"APIKey", "AuditEvent", "Invitation"} {
				allDenied(t, fmt.Sprint(p, schema), reads(ctx, schemas(w.client)[schema]))
				allDenied(t, fmt.Sprint(p, schema), writes(ctx, schemas(w.client)[schema]))
			}
		}
	})
}

// ids are those of all rows of a schema that a person reads.
func ids(t *testing.T, ctx context.Context, w world, schema string) (all []uuid.UUID) {
	t.Helper()
	out := call(call(schemas(w.client)[schema], "Query")[0], "IDs", ctx)
	if err, _ := out[1].Interface().(error); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	all, _ = out[0].Interface().([]uuid.UUID)
	slices.SortFunc(all, func(x, y uuid.UUID) int { return strings.Compare(x.String(), y.String()) })
	return all
}

// Each role reads what is in its workspace and nothing else, and by the id of
// another's what it reads by that of nothing.
func TestPeopleReadTheirOwn(t *testing.T) {
	eachOffice(t, func(t *testing.T, w world, a, b office) {
		for role, ctx := range map[viewer.Role]context.Context{viewer.RoleViewer: a.reader, viewer.RoleDeveloper: a.developer, viewer.RoleOwner: a.owner} {
			for schema, id := range map[string][2]uuid.UUID{
				"APIKey": {a.key, b.key}, "AuditEvent": {a.event, b.event}, "Invitation": {a.invitation, b.invitation}, "Member": {a.member, b.member},
				"KeyTraffic": {a.traffic, b.traffic}, "RefusedRequest": {a.refused, b.refused}, "Session": {a.session, b.session}, "User": {a.user.ID, b.user.ID}, "Workspace": {a.id, b.id},
			} {
				if !may(role, people[schema].read) {
					continue // which TestWhatPeopleMay looks at
				}
				if got := ids(t, ctx, w, schema); !slices.Equal(got, []uuid.UUID{id[0]}) {
					t.Errorf("%s reads %s %v, want %v", role, schema, got, id[:1])
				}
				c := schemas(w.client)[schema]
				if err := failure(c, "Get", ctx, id[0]); err != nil {
					t.Errorf("%s gets its own %s: %v", role, schema, err)
				}
				foreign, absent := failure(c, "Get", ctx, id[1]), failure(c, "Get", ctx, uuid.New())
				if !ent.IsNotFound(foreign) || foreign.Error() != absent.Error() {
					t.Errorf("%s gets another's %s: %v, absent %v", role, schema, foreign, absent)
				}
			}
		}
	})
}
