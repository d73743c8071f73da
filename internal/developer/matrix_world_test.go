package developer_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/apikey"
	"records/internal/viewer"
)

// Names in the own and in the other workspace, which nobody but their members may see.
const (
	ownCanary     = "thief7q"
	foreignCanary = "owner4x"
)

// matrixWorld is two workspaces and all who try.
type matrixWorld struct {
	area
	asset        string // the name of a file that pages refer to
	actors       []actor
	foreign      things
	other        uuid.UUID // the other workspace
	ownNames     []string
	foreignNames []string
}

func newMatrix(t *testing.T, a area) *matrixWorld {
	t.Helper()
	m := &matrixWorld{area: a, other: a.Workspace(t)}
	m.asset = regexp.MustCompile(`/assets/([^"]+)`).FindStringSubmatch(string(a.Browser(t).Get("/sign-in").Body))[1]
	key, token := a.mint(t, apikey.Request{Name: ownCanary, Scope: viewer.Write})
	m.ownNames = []string{ownCanary, key.Prefix}
	m.actors = []actor{
		{"nobody", anyone, a.Browser(t), ""},
		{"an API key", anyone, a.Browser(t), token},
		{"a member of another workspace", signedIn, a.Member(t, m.other, viewer.RoleOwner), ""},
		{"a viewer", looker, a.Member(t, a.workspace, viewer.RoleViewer), ""},
		{"a developer", maker, a.developer, ""},
		{"an owner", owner, a.Member(t, a.workspace, viewer.RoleOwner), ""},
	}
	m.foreign = m.things(t, m.other, uuid.Nil, foreignCanary, foreignCanary)
	m.foreignNames = []string{foreignCanary, a.Ent.APIKey.GetX(a.operator, uuid.MustParse(m.foreign["key"])).Prefix}
	return m
}

// own are things of the own workspace that nobody has touched yet, and a session of
// who tries.
func (m *matrixWorld) own(t *testing.T, who actor) things {
	t.Helper()
	agent := ownCanary
	if who.is == signedIn {
		agent = "their own browser" // which they may see, wherever it is
	}
	return m.things(t, m.workspace, who.browser.User, ownCanary, agent)
}

// things makes one of each that a path can name, called by a name. The session is
// the user's, if there is one, in a browser called agent.
func (m *matrixWorld) things(t *testing.T, workspace, user uuid.UUID, name, agent string) things {
	t.Helper()
	key, _ := m.mint(t, apikey.Request{Workspace: workspace, Name: name})
	person := m.Ent.User.Create().SetName(name).SetEmail(uuid.NewString() + "@" + name + ".example.com").SaveX(m.operator)
	member := m.Ent.Member.Create().SetWorkspaceID(workspace).SetUserID(person.ID).SetRole(string(viewer.RoleViewer)).SaveX(m.operator)
	invitation := m.Ent.Invitation.Create().SetWorkspaceID(workspace).SetHash(uuid.NewString()).SetEmail("invited@" + name + ".example.com").
		SetRole(string(viewer.RoleOwner)).SetExpiresAt(time.Now().Add(time.Hour).UTC()).SaveX(m.operator)
	if user == uuid.Nil {
		user = person.ID
	}
	session := m.Ent.Session.Create().SetHash(uuid.NewString()).SetUserID(user).SetAgent(agent).SetData([]byte("{}")).
		SetExpiresAt(time.Now().Add(time.Hour).UTC()).SaveX(m.operator)
	return things{
		"name": m.asset, "workspace": workspace.String(), "key": key.ID.String(), "member": member.ID.String(),
		"invitation": invitation.ID.String(), "token": strings.Repeat("x", 43), "id": session.ID.String(),
	}
}

// unchanged fails the test if rows are not what they were: all of them, or those
// that are the other workspace's.
func (m *matrixWorld) unchanged(t *testing.T, what string, before []string, all bool) {
	t.Helper()
	after := m.dump(t)
	if !all {
		before, after = m.others(before), m.others(after)
	}
	if !slices.Equal(before, after) {
		t.Errorf("%s: the database changed\nfrom %s\nto %s", what, strings.Join(before, "\n     "), strings.Join(after, "\n     "))
	}
}

// others are the rows of the other workspace, and those of its members.
func (m *matrixWorld) others(rows []string) (others []string) {
	for _, row := range rows {
		if strings.Contains(row, m.other.String()) || strings.Contains(row, foreignCanary) || strings.Contains(row, m.foreign["id"]) {
			others = append(others, row)
		}
	}
	return others
}

// dump is every row of the database but for what a page view may change: what a
// session holds and when it was last used.
func (m *matrixWorld) dump(t *testing.T) (all []string) {
	t.Helper()
	for _, table := range m.tables(t) {
		columns := "*"
		if table == "sessions" {
			columns = "id, hash, user_id"
		}
		for _, row := range m.rows(t, "SELECT "+columns+" FROM "+table) {
			all = append(all, table+" "+row)
		}
	}
	slices.Sort(all)
	return all
}

func (m *matrixWorld) tables(t *testing.T) (names []string) {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if m.db.Dialect() == dialect.Postgres {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
	}
	for _, row := range m.rows(t, query) {
		if name := strings.Trim(row, "[]"); !strings.HasPrefix(name, "sqlite_") && name != "key_generations" {
			names = append(names, name)
		}
	}
	return names
}

// rows returns what a query by hand gives, each row as one text.
func (m *matrixWorld) rows(t *testing.T, query string) (all []string) {
	t.Helper()
	rows, err := m.db.SQL().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		text := make([]string, len(values))
		for i, v := range values {
			if b, ok := (*v.(*any)).([]byte); ok {
				text[i] = string(b)
			} else {
				text[i] = fmt.Sprint(*v.(*any))
			}
		}
		all = append(all, fmt.Sprint(text))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
