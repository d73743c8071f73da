package main_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/invitation"
	"records/ent/member"
	"records/ent/rule"
	"records/ent/user"
	"records/internal/account"
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
	"records/internal/servertest"
	"records/internal/viewer"
	"records/migrate"
)

// backedUp is a served database of two workspaces with records, keys and people,
// from which things are taken away after a backup.
type backedUp struct {
	db                                          *database.DB
	s                                           *servertest.Server
	revoked, narrowed, shortened, rotated, kept *servertest.Client
	gone, lowered, changed                      *servertest.Browser
	invitation                                  uuid.UUID
}

// before makes what a backup holds.
func before(t *testing.T, url string) *backedUp {
	t.Helper()
	db := dbtest.OpenURL(t, url)
	if _, err := migrate.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	b := &backedUp{db: db, s: servertest.Start(t, db)}
	for range 2 {
		w := b.s.Workspace(t)
		if _, err := load.Demo(viewer.NewContext(t.Context(), viewer.Viewer{Workspace: w, Scope: viewer.Write}), b.s.Ent); err != nil {
			t.Fatal(err)
		}
		for _, k := range []**servertest.Client{&b.revoked, &b.narrowed, &b.shortened, &b.rotated, &b.kept} {
			*k = b.s.Key(t, w, viewer.Write)
		}
		b.gone, b.lowered, b.changed = b.s.Member(t, w, viewer.RoleOwner), b.s.Member(t, w, viewer.RoleOwner), b.s.Member(t, w, viewer.RoleOwner)
		i, _, err := account.Invite(rule.AsOperator(t.Context()), b.s.Ent, w, viewer.RoleOwner, "")
		if err != nil {
			t.Fatal(err)
		}
		b.invitation = i.ID
	}
	return b
}

// since takes away what a restored backup must not give back.
func (b *backedUp) since(t *testing.T) {
	t.Helper()
	ctx := rule.AsOperator(t.Context())
	soon := time.Now().Add(time.Hour)
	for what, err := range map[string]error{
		"revoke": apikey.Revoke(ctx, b.s.Ent, b.revoked.ID),
		"narrow": apikey.SetScope(ctx, b.s.Ent, b.narrowed.ID, viewer.Read),
		"expire": apikey.SetExpiry(ctx, b.s.Ent, b.shortened.ID, &soon),
		"lower":  b.s.Ent.Member.Update().Where(member.UserID(b.lowered.User)).SetRole(string(viewer.RoleViewer)).Exec(ctx),
		"change": b.s.Ent.User.Update().Where(user.ID(b.changed.User)).SetPasswordHash("another").Exec(ctx),
		"accept": b.s.Ent.Invitation.Update().Where(invitation.ID(b.invitation)).SetAcceptedAt(time.Now()).Exec(ctx),
	} {
		if err != nil {
			t.Fatal(what, err)
		}
	}
	if _, _, err := apikey.Rotate(ctx, b.s.Ent, b.rotated.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := b.s.Ent.Member.Delete().Where(member.UserID(b.gone.User)).Exec(ctx); err != nil {
		t.Fatal(err)
	}
	b.kept.Create("tasks", map[string]any{"name": "since the backup"})
}

// takenAway is how many rows since has changed.
const takenAway = 8

// isTakenAway holds a restored database to what since took away. With the keys all
// revoked, none opens anything.
func (b *backedUp) isTakenAway(t *testing.T, url string, all bool) {
	t.Helper()
	db := dbtest.OpenURL(t, url)
	s := servertest.Start(t, db)
	ctx := rule.AsOperator(t.Context())
	for key, want := range map[*servertest.Client][2]int{b.revoked: {401, 401}, b.rotated: {401, 401}, b.narrowed: {200, 403}, b.shortened: {200, 201}, b.kept: {200, 201}} {
		if all {
			want = [2]int{401, 401}
		}
		c := s.With(t, key.Token)
		if got := [2]int{c.Do(http.MethodGet, "/tasks", nil).Status, c.Do(http.MethodPost, "/tasks", map[string]any{"name": "x"}).Status}; got != want {
			t.Errorf("a key answers %v, want %v", got, want)
		}
	}
	if r := b.kept.Do(http.MethodGet, "/tasks?limit=1", nil); !strings.Contains(string(r.Body), "since the backup") {
		t.Error("the old database was changed")
	}
	if r := b.changed.On(s).Get("/"); r.Status != http.StatusSeeOther || !strings.HasPrefix(r.Header.Get("Location"), "/sign-in") {
		t.Errorf("a session of before: %d", r.Status)
	}
	open, err := s.Ent.Invitation.Query().Where(invitation.ID(b.invitation), account.Open()).Count(ctx)
	if err != nil || open != 0 {
		t.Errorf("the invitation that was accepted is open: %d, %v", open, err)
	}
	if all {
		return
	}
	if k := s.Ent.APIKey.GetX(ctx, b.shortened.ID); k.ExpiresAt == nil {
		t.Error("the key whose life was shortened never ends")
	}
	roles := map[uuid.UUID]string{}
	for _, m := range s.Ent.Member.Query().Where(member.UserIDIn(b.gone.User, b.lowered.User, b.changed.User)).AllX(ctx) {
		roles[m.UserID] = m.Role
	}
	if len(roles) != 2 || roles[b.lowered.User] != string(viewer.RoleViewer) || roles[b.changed.User] != string(viewer.RoleOwner) {
		t.Errorf("members: %v", roles)
	}
	if u := s.Ent.User.Query().Where(user.ID(b.changed.User)).OnlyX(ctx); *u.PasswordHash != "another" {
		t.Error("the password is the one before")
	}
}

// openKeys is how many keys are not revoked.
func openKeys(t *testing.T, client *ent.Client) int {
	t.Helper()
	n := 0
	for _, k := range client.APIKey.Query().AllX(rule.AsOperator(t.Context())) {
		if k.RevokedAt == nil {
			n++
		}
	}
	return n
}

// contents is every row of every table, as text, in one snapshot: that of the query.
func contents(t *testing.T, query func(string) [][]string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'") {
		rows := []string{}
		for _, row := range query(fmt.Sprintf(`SELECT r::text FROM "%s" r ORDER BY 1`, table[0])) {
			rows = append(rows, row[0])
		}
		all[table[0]] = rows
	}
	return all
}
