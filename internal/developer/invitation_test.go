package developer_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"records/ent/rule"
	"records/internal/account"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// An owner makes a link, and a new person comes in by it, once.
func TestInvitationOfANewPerson(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		owner := s.Member(t, own, viewer.RoleOwner)
		in := "/workspaces/" + own.String()
		made := owner.Post(in+"/invitations", url.Values{"role": {"developer"}})
		want(t, "the link", made, http.StatusOK, "It is not shown again", "data-copy")
		if made.Header.Get("Cache-Control") != "no-store" || made.Header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("headers %v", made.Header)
		}
		link := linkIn(t, made)
		want(t, "the members", owner.Get(in+"/members"), http.StatusOK, "Anyone with the link")
		if strings.Contains(string(owner.Get(in+"/members").Body), link) {
			t.Error("the link is shown again")
		}

		person := s.Browser(t)
		opened := person.Get(link)
		wantTo(t, "the link", opened, "/join")
		if opened.Header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("headers %v", opened.Header)
		}
		want(t, "the form", person.Get("/join"), http.StatusOK, "A person invites you", "as developer")
		form := url.Values{"name": {`<script>alert("me")</script>`}, "email": {" New@Example.com"}, "password": {"new and quite long"}}
		fault := func(what, name, value string, texts ...string) {
			t.Helper()
			faulty := url.Values{"name": form["name"], "email": form["email"], "password": form["password"]}
			faulty.Set(name, value)
			r := person.Post("/join", faulty)
			want(t, what, r, http.StatusUnprocessableEntity, append(texts, name+"-fault", `aria-invalid="true"`)...)
			if strings.Contains(string(r.Body), "<script>alert") || strings.Contains(string(r.Body), "new and quite long") {
				t.Errorf("%s: not escaped, or the password is shown\n%s", what, r.Body)
			}
		}
		fault("no name", "name", " ", "must not be blank")
		fault("a name with NUL", "name", "a\x00", "must not contain")
		fault("no address", "email", "nobody", "must be an email address")
		fault("a long address", "email", strings.Repeat("a", 250)+"@example.com", "at most 254")
		fault("a short password", "password", "short", "12 characters or more")
		fault("a password not to be read", "password", "\xff\xfe and more than that", "valid UTF-8")
		fault("a taken address", "email", owner.Email, "belongs to an account already")

		before := person.Cookie(cookie)
		wantTo(t, "joining", person.Post("/join", form), in+"/keys")
		if person.Cookie(cookie) == before {
			t.Error("the session's token is the one from before")
		}
		want(t, "the workspace", person.Get(in+"/keys"), http.StatusOK, "Welcome.", "new@example.com")
		want(t, "the members", owner.Get(in+"/members"), http.StatusOK, "&lt;script&gt;alert(&#34;me&#34;)&lt;/script&gt;", "There is no open invitation.")
		want(t, "joining again", person.Post("/join", form), http.StatusGone)
		want(t, "the link again", s.Browser(t).Get(link), http.StatusGone)
		wantTo(t, "signing in", s.Browser(t).Post("/sign-in", url.Values{"email": {"new@example.com"}, "password": {"new and quite long"}}), "/")
		did := strings.Join(events(t, s, own), "\n")
		if did != "member.invited: anyone with the link, as developer\nmember.joined: "+form.Get("name")+" (new@example.com), as developer" {
			t.Errorf("recorded:\n%s", did)
		}
		s.Stop()
		if token := strings.TrimPrefix(link, account.InvitationPath); strings.Contains(s.Log.String(), token) || !strings.Contains(s.Log.String(), "/invitations/:token") {
			t.Error("the token is in the log, or the request is not")
		}
	})
}

// One who has an account joins with it, signed in or signing in first.
func TestInvitationOfAUser(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own, other := s.Workspace(t), s.Workspace(t)
		person := s.Member(t, other, viewer.RoleOwner)
		_, link := invitationTo(t, s, own, viewer.RoleViewer, "")
		wantTo(t, "the link", person.Get(link), "/join")
		want(t, "signed in", person.Get("/join"), http.StatusOK, "You are invited", "Join as "+person.Email)
		wantTo(t, "joining", person.Post("/join", nil), "/workspaces/"+own.String()+"/keys")

		_, again := invitationTo(t, s, own, viewer.RoleOwner, "")
		person.Get(again)
		wantTo(t, "a member already", person.Post("/join", nil), "/workspaces/"+own.String()+"/keys")
		if m := membership(t, s, own, person.User); m.Role != "viewer" {
			t.Errorf("a member got the role %s by a link", m.Role)
		}
		second := s.Browser(t) // the link is still good
		second.Get(again)
		want(t, "the form to sign in", second.Get("/sign-in"), http.StatusOK, "to accept your invitation")
		late := s.Member(t, other, viewer.RoleViewer)
		wantTo(t, "signing in", signIn(second, late.Email), "/join")
		wantTo(t, "the form to sign in", second.Get("/sign-in"), "/join")
		want(t, "the invitation", second.Get("/join"), http.StatusOK, "Join as "+late.Email)
		wantTo(t, "joining", second.Post("/join", nil), "/workspaces/"+own.String()+"/keys")
		want(t, "joining again", second.Post("/join", nil), http.StatusGone)
	})
}

// An invitation with an address is for that user alone.
func TestInvitationOfAnAddress(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		other := s.Member(t, s.Workspace(t), viewer.RoleOwner)
		_, link := invitationTo(t, s, own, viewer.RoleOwner, " Owner@Example.com ")
		other.Get(link)
		r := other.Get("/join")
		want(t, "another user", r, http.StatusOK, "This invitation is for owner@example.com")
		if strings.Contains(string(r.Body), "Join as") {
			t.Error("another user is offered to join")
		}
		want(t, "another user joins", other.Post("/join", nil), http.StatusUnprocessableEntity, "another email address")

		person := s.Browser(t)
		person.Get(link)
		want(t, "the form", person.Get("/join"), http.StatusOK, `value="owner@example.com"`, "readonly")
		wantTo(t, "joining", person.Post("/join", url.Values{"name": {"Owner"}, "email": {"thief@example.com"}, "password": {servertest.Password}}), "/workspaces/"+own.String()+"/keys")
		want(t, "the members", person.Get("/workspaces/"+own.String()+"/members"), http.StatusOK, "owner@example.com", "Invite somebody")
	})
}

// Whatever is wrong with a link, the answer is one and the same.
func TestInvitationsThatAreNoMore(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		owner := s.Member(t, own, viewer.RoleOwner)
		expired, expiredLink := invitationTo(t, s, own, viewer.RoleViewer, "")
		usedInvitation, used := invitationTo(t, s, own, viewer.RoleViewer, "")
		revokedInvitation, revoked := invitationTo(t, s, own, viewer.RoleViewer, "")
		opened := s.Browser(t)
		opened.Get(expiredLink)
		// Time passes: expires_at is immutable, and so the row is made again.
		operator := rule.AsOperator(t.Context())
		if err := s.Ent.Invitation.DeleteOneID(expired.ID).Exec(operator); err != nil {
			t.Fatal(err)
		}
		if err := s.Ent.Invitation.Create().SetID(expired.ID).SetWorkspaceID(own).SetHash(expired.Hash).SetRole("viewer").SetExpiresAt(time.Now().Add(-time.Second).UTC()).Exec(operator); err != nil {
			t.Fatal(err)
		}
		if err := account.Accept(t.Context(), s.Ent, usedInvitation.ID, s.Member(t, s.Workspace(t), viewer.RoleViewer).User); err != nil {
			t.Fatal(err)
		}
		revoke := "/workspaces/" + own.String() + "/invitations/" + revokedInvitation.ID.String() + "/revoke"
		wantTo(t, "revoking", owner.Post(revoke, nil), "/workspaces/"+own.String()+"/members")
		want(t, "revoking again", owner.Post(revoke, nil), http.StatusNotFound)
		want(t, "opened before it was over", opened.Get("/join"), http.StatusGone)
		want(t, "joining after it was over", opened.Post("/join", url.Values{"name": {"A"}, "email": {"a@example.com"}, "password": {servertest.Password}}), http.StatusGone)

		unknown := account.InvitationPath + strings.Repeat("A", 43)
		first := s.Browser(t).Get(unknown)
		want(t, "unknown", first, http.StatusGone)
		for what, link := range map[string]string{"expired": expiredLink, "used": used, "revoked": revoked, "short": account.InvitationPath + "a", "hostile": account.InvitationPath + "%3Cscript%3E%00"} {
			b := s.Browser(t)
			if r := b.Get(link); r.Status != first.Status || string(r.Body) != string(first.Body) || b.Cookie(cookie) != "" {
				t.Errorf("%s: %d, a session %q\n%s", what, r.Status, b.Cookie(cookie), r.Body)
			}
		}
		want(t, "none opened", s.Browser(t).Get("/join"), http.StatusGone)
	})
}

// Of many who accept one invitation at once, one comes in.
func TestInvitationIsGoodOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		_, link := invitationTo(t, s, own, viewer.RoleOwner, "")
		var people []*servertest.Browser
		for range 6 {
			b := s.Member(t, s.Workspace(t), viewer.RoleViewer)
			b.Get(link)
			people = append(people, b)
		}
		var in, gone atomic.Int64
		var all sync.WaitGroup
		for _, b := range people {
			all.Go(func() {
				switch b.Post("/join", nil).Status {
				case http.StatusSeeOther:
					in.Add(1)
				case http.StatusGone:
					gone.Add(1)
				}
			})
		}
		all.Wait()
		if in.Load() != 1 || gone.Load() != 5 {
			t.Errorf("%d came in, %d were told that it is over", in.Load(), gone.Load())
		}
	})
}

// Who is no owner neither makes nor revokes links, nor an owner those of another
// workspace.
func TestInvitationsAreForOwners(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own, other := s.Workspace(t), s.Workspace(t)
		i, _ := invitationTo(t, s, own, viewer.RoleViewer, "someone@example.com")
		foreign, foreignLink := invitationTo(t, s, other, viewer.RoleViewer, "")
		in := "/workspaces/" + own.String()
		for role, status := range map[viewer.Role]int{viewer.RoleViewer: http.StatusForbidden, viewer.RoleDeveloper: http.StatusForbidden} {
			b := s.Member(t, own, role)
			want(t, "making", b.Post(in+"/invitations", url.Values{"role": {"viewer"}}), status)
			want(t, "revoking", b.Post(in+"/invitations/"+i.ID.String()+"/revoke", nil), status)
			page := b.Get(in + "/members")
			want(t, "the members", page, http.StatusOK)
			for _, hidden := range []string{"someone@example.com", "Invite somebody", "Remove", "Change"} {
				if strings.Contains(string(page.Body), hidden) {
					t.Errorf("a %s sees %q", role, hidden)
				}
			}
		}
		owner := s.Member(t, own, viewer.RoleOwner)
		want(t, "revoking another's", owner.Post(in+"/invitations/"+foreign.ID.String()+"/revoke", nil), http.StatusNotFound)
		want(t, "in another's", owner.Post("/workspaces/"+other.String()+"/invitations", url.Values{"role": {"owner"}}), http.StatusNotFound)
		wantTo(t, "another's link", s.Browser(t).Get(foreignLink), "/join")
		want(t, "no role", owner.Post(in+"/invitations", url.Values{"role": {"king"}, "email": {"a@example.com"}}), http.StatusUnprocessableEntity, "role-fault", `value="a@example.com"`)
		want(t, "no address", owner.Post(in+"/invitations", url.Values{"role": {"viewer"}, "email": {`"><b>`}}), http.StatusUnprocessableEntity, "email-fault", "&#34;&gt;&lt;b&gt;")
	})
}
