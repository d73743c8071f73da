package developer_test

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/ent/member"
	"records/ent/privacy"
	"records/ent/rule"
	"records/ent/user"
	"records/internal/account"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// An owner changes roles and removes members. Both hold at once, in sessions that
// stand.
func TestMembers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		owner, person := s.Member(t, own, viewer.RoleOwner), s.Member(t, own, viewer.RoleViewer)
		in := "/workspaces/" + own.String()
		at := in + "/members/" + membership(t, s, own, person.User).ID.String()
		want(t, "the members", owner.Get(in+"/members"), http.StatusOK, person.Email, owner.Email, "(you)", "Remove")
		want(t, "a viewer invites", person.Post(in+"/invitations", url.Values{"role": {"owner"}}), http.StatusForbidden)
		wantTo(t, "to owner", owner.Post(at+"/role", url.Values{"role": {"owner"}}), in+"/members")
		want(t, "the notice", owner.Get(in+"/members"), http.StatusOK, "The role is changed.")
		_ = linkIn(t, person.Post(in+"/invitations", url.Values{"role": {"owner"}}))
		want(t, "to none", owner.Post(at+"/role", url.Values{"role": {"king"}}), http.StatusUnprocessableEntity)
		link := linkIn(t, person.Post(in+"/invitations", url.Values{"role": {"owner"}}))
		wantTo(t, "to viewer", owner.Post(at+"/role", url.Values{"role": {"viewer"}}), in+"/members")
		want(t, "a viewer invites", person.Post(in+"/invitations", url.Values{"role": {"owner"}}), http.StatusForbidden)
		want(t, "a link of who was an owner", s.Browser(t).Get(link), http.StatusGone)
		wantTo(t, "removing", owner.Post(at+"/remove", nil), in+"/members")
		want(t, "who was removed", person.Get(in+"/keys"), http.StatusNotFound)
		want(t, "who was removed", person.Post(in+"/invitations", url.Values{"role": {"owner"}}), http.StatusNotFound)
		want(t, "who was removed", person.Get("/account"), http.StatusOK)
		want(t, "removing again", owner.Post(at+"/remove", nil), http.StatusNotFound)
		did := events(t, s, own)
		named := "A person (" + person.Email + ")"
		for _, e := range []string{"member.role_changed: " + named + ", from viewer to owner", "member.role_changed: " + named + ", from owner to viewer", "member.removed: " + named + ", viewer, removed"} {
			if !slices.Contains(did, e) {
				t.Errorf("%q is not recorded in %q", e, did)
			}
		}
	})
}

// Nobody does to members what their role does not allow, nor in another workspace.
func TestMembersAreForOwners(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own, other := s.Workspace(t), s.Workspace(t)
		owner, foreign := s.Member(t, own, viewer.RoleOwner), s.Member(t, other, viewer.RoleOwner)
		s.Member(t, own, viewer.RoleOwner)
		theirs, mine := membership(t, s, own, owner.User), membership(t, s, other, foreign.User)
		in := "/workspaces/" + own.String()
		for _, role := range []viewer.Role{viewer.RoleViewer, viewer.RoleDeveloper} {
			b := s.Member(t, own, role)
			self := membership(t, s, own, b.User).ID.String()
			want(t, "raising oneself", b.Post(in+"/members/"+self+"/role", url.Values{"role": {"owner"}}), http.StatusForbidden)
			want(t, "lowering an owner", b.Post(in+"/members/"+theirs.ID.String()+"/role", url.Values{"role": {"viewer"}}), http.StatusForbidden)
			want(t, "removing an owner", b.Post(in+"/members/"+theirs.ID.String()+"/remove", nil), http.StatusForbidden)
			wantTo(t, "leaving", b.Post(in+"/members/"+self+"/remove", nil), "/")
			want(t, "after leaving", b.Get(in+"/members"), http.StatusNotFound)
			want(t, "the start", b.Get("/"), http.StatusOK, "You have left the workspace.", "member of no workspace")
		}
		// One who was an owner when the request began, and is none now.
		stale := viewer.NewPersonContext(t.Context(), viewer.Person{User: s.Member(t, own, viewer.RoleDeveloper).User, Workspace: own, Role: viewer.RoleOwner})
		_, _, inviting := account.Invite(stale, s.Ent, own, viewer.RoleOwner, "")
		for what, err := range map[string]error{
			"lowering": account.SetRole(stale, s.Ent, theirs.ID, viewer.RoleViewer), "removing": account.RemoveMember(stale, s.Ent, theirs.ID), "inviting": inviting,
		} {
			if !errors.Is(err, privacy.Deny) {
				t.Errorf("%s by who is no owner any more: %v", what, err)
			}
		}
		for _, id := range []string{mine.ID.String(), uuid.NewString(), "1"} {
			want(t, "another's member", owner.Post(in+"/members/"+id+"/remove", nil), http.StatusNotFound)
			want(t, "another's member", owner.Post(in+"/members/"+id+"/role", url.Values{"role": {"viewer"}}), http.StatusNotFound)
		}
		for _, path := range []string{"/members", "/invitations"} {
			r, none := foreign.Get(in+path), foreign.Get("/workspaces/"+uuid.NewString()+path)
			if path == "/members" && (r.Status != http.StatusNotFound || string(r.Body) != string(none.Body)) {
				t.Errorf("another's workspace: %d, none: %d", r.Status, none.Status)
			}
		}
		want(t, "lowering in another's", foreign.Post(in+"/members/"+theirs.ID.String()+"/role", url.Values{"role": {"viewer"}}), http.StatusNotFound)
		if membership(t, s, own, owner.User).Role != "owner" || membership(t, s, other, foreign.User) == nil {
			t.Error("something was changed")
		}
	})
}

func TestLastOwner(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		owner := s.Member(t, own, viewer.RoleOwner)
		s.Member(t, own, viewer.RoleDeveloper)
		at := "/workspaces/" + own.String() + "/members/" + membership(t, s, own, owner.User).ID.String()
		want(t, "lowering", owner.Post(at+"/role", url.Values{"role": {"developer"}}), http.StatusConflict, "at least one owner")
		want(t, "leaving", owner.Post(at+"/remove", nil), http.StatusConflict, "at least one owner")
		if m := membership(t, s, own, owner.User); m == nil || m.Role != "owner" || len(events(t, s, own)) != 0 {
			t.Errorf("member %v, recorded %q", m, events(t, s, own))
		}
		wantTo(t, "the same role", owner.Post(at+"/role", url.Values{"role": {"owner"}}), "/workspaces/"+own.String()+"/members")
	})
}

// Two owners who lower or remove each other, or both leave, at once leave one.
func TestOwnersAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		people := []*servertest.Browser{s.Member(t, s.Workspace(t), viewer.RoleOwner), s.Member(t, s.Workspace(t), viewer.RoleOwner)}
		for round := range 6 {
			own := s.Workspace(t)
			var at []string
			for _, b := range people {
				if err := account.Join(t.Context(), s.Ent, own, b.User, viewer.RoleOwner); err != nil {
					t.Fatal(err)
				}
				at = append(at, "/workspaces/"+own.String()+"/members/"+membership(t, s, own, b.User).ID.String())
			}
			release := holdRecord(t, db)
			var both sync.WaitGroup
			for i, b := range people {
				target := at[1-i] // the other
				if round%3 == 2 {
					target = at[i] // oneself
				}
				both.Go(func() {
					if round%3 == 0 {
						b.Post(target+"/role", url.Values{"role": {"viewer"}})
						return
					}
					b.Post(target+"/remove", nil)
				})
			}
			release()
			both.Wait()
			owners, err := s.Ent.Member.Query().Where(member.WorkspaceID(own), member.Role("owner")).Count(rule.AsOperator(t.Context()))
			if err != nil || owners != 1 {
				t.Fatalf("round %d leaves %d owners, %v", round, owners, err)
			}
		}
		s.Stop()
		if strings.Contains(s.Log.String(), `"status":500`) {
			t.Errorf("an internal error:\n%s", s.Log)
		}
	})
}

// holdRecord keeps others from writing down what they did, and so from being done,
// until all who can have come that far. SQLite has one transaction at a time.
func holdRecord(t *testing.T, db *database.DB) (release func()) {
	t.Helper()
	if db.Dialect() == dialect.SQLite {
		return func() {}
	}
	tx, err := db.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "LOCK TABLE audit_events IN EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		time.Sleep(300 * time.Millisecond)
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

// What a person asks of the people of a workspace stays a condition beside the one
// that keeps them in it.
func TestColleagues(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		self, colleague, other := s.Member(t, own, viewer.RoleViewer), s.Member(t, own, viewer.RoleViewer), s.Member(t, s.Workspace(t), viewer.RoleViewer)
		ctx := viewer.NewPersonContext(t.Context(), viewer.Person{User: self.User, Workspace: own, Role: viewer.RoleViewer})
		for id, want := range map[uuid.UUID]int{self.User: 1, colleague.User: 1, other.User: 0, uuid.New(): 0} {
			found, err := s.Ent.User.Query().Where(user.ID(id)).All(ctx)
			if err != nil || len(found) != want || want == 1 && found[0].ID != id {
				t.Errorf("found %d, want %d: %v", len(found), want, err)
			}
		}
		n, err := s.Ent.User.Update().Where(user.ID(colleague.User)).SetName("changed").Save(ctx)
		if err != nil || n != 0 {
			t.Errorf("changed %d colleagues, %v", n, err)
		}
	})
}

// However many members, invitations and sessions there are, a page shows so many.
func TestListsOfPeopleAreBounded(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		const rows, most = 61, 50
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		owner, ctx := s.Member(t, own, viewer.RoleOwner), rule.AsOperator(t.Context())
		in := "/workspaces/" + own.String() + "/members"
		later := time.Now().UTC().Add(time.Hour).Truncate(time.Millisecond)
		for i := range rows {
			n := strconv.Itoa(i)
			u := s.Ent.User.Create().SetEmail("many-" + uuid.NewString() + "@example.com").SetName("Many").SaveX(ctx)
			s.Ent.Member.Create().SetWorkspaceID(own).SetUserID(u.ID).SetRole("viewer").ExecX(ctx)
			s.Ent.Invitation.Create().SetWorkspaceID(own).SetRole("viewer").SetEmail("open-" + n + "@example.com").SetHash(uuid.NewString()).SetExpiresAt(later).ExecX(ctx)
			s.Ent.Session.Create().SetUserID(owner.User).SetHash(uuid.NewString()).SetData([]byte("{}")).SetAgent("many").SetExpiresAt(later).ExecX(ctx)
		}
		count := func(what string, r servertest.Response, text string, most int) {
			t.Helper()
			if n := strings.Count(string(r.Body), text); r.Status != http.StatusOK || n != most {
				t.Errorf("%s: %d, %d of them, want %d", what, r.Status, n, most)
			}
		}
		first, second := owner.Get(in), owner.Get(in+"?page=2")
		count("members", first, `">Remove</button>`, most-1) // and oneself
		count("the other members", second, `">Remove</button>`, rows+1-most)
		count("invitations", first, ">Revoke</button>", most)
		want(t, "invitations", first, http.StatusOK, "open-60@", "There are more")
		want(t, "a page that is none", owner.Get(in+"?page=3"), http.StatusNotFound)
		account := owner.Get("/account")
		count("sessions", account, "/end\"><button>", most)
		want(t, "sessions", account, http.StatusOK, "elsewhere, too", "End all other sessions")
	})
}
