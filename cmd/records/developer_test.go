package main_test

import (
	"strings"
	"testing"
	"time"
)

// The first owner of a workspace comes in by a link; there is no default password.
func TestInvite(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.ok("workspace", "create", "Acme")
		var made struct {
			ID, Link, Workspace, Role string
			Email                     *string
			ExpiresAt                 time.Time `json:"expires_at"`
		}
		p.json(&made, "workspace", "invite", "Acme", "--email", " Owner@Example.com")
		token, ok := strings.CutPrefix(made.Link, "http://127.0.0.1:8080/invitations/")
		if !ok || len(token) != 43 || made.Workspace != "Acme" || made.Role != "owner" || made.Email == nil || *made.Email != "owner@example.com" {
			t.Errorf("made %v", made)
		}
		if d := time.Until(made.ExpiresAt); d < 167*time.Hour || d > 168*time.Hour {
			t.Errorf("it is good for %v", d)
		}
		text := p.ok("workspace", "invite", "Acme", "--role", "viewer", "--developer.url", "https://Records.example.com/")
		if !strings.HasPrefix(text, `Whoever opens this link becomes a viewer of workspace "Acme".`) || !strings.Contains(text, "\n  https://records.example.com/invitations/") {
			t.Errorf("printed %q", text)
		}
		s := p.serve("--demo")
		if body := s.status(303, "GET", strings.TrimPrefix(made.Link, "http://127.0.0.1:8080"), "", ""); !strings.Contains(body, "/join") {
			t.Errorf("the link leads to %q", body)
		}
		link, ok := strings.CutPrefix(s.printed["invitation"], s.address)
		if !ok {
			t.Errorf("printed %v", s.printed)
		}
		s.status(303, "GET", link, "", "")
		s.stop()
		if strings.Contains(s.log.String(), token) {
			t.Error("the token is in the log")
		}
	})
}

func TestInviteFaults(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	p.ok("workspace", "create", "Acme")
	p.fails(`role must be "owner", "developer" or "viewer"`, "workspace", "invite", "Acme", "--role", "king")
	p.fails("there is no workspace \"Nix\"; make it with `records workspace create`", "workspace", "invite", "Nix")
	p.fails("the email address must be an email address like name@example.com", "workspace", "invite", "Acme", "--email", "")
	p.fails("developer.url: must be set for a link, since addr has port 0", "workspace", "invite", "Acme", "--addr", "127.0.0.1:0")
	p.failsWith("oidc.client_id", "workspace", "list", "--oidc.issuer", "https://id.example.com")
}
