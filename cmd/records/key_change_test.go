package main_test

import (
	"strings"
	"testing"
)

func TestKeyChanges(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		k := p.key("Acme", "read")
		var changed map[string]any
		p.json(&changed, "key", "rename", k.ID, "--name", "Zoë's <key>")
		if len(changed) != 2 || changed["id"] != k.ID || changed["name"] != "Zoë's <key>" {
			t.Errorf("rename printed %v", changed)
		}
		changed = nil
		p.json(&changed, "key", "set-expiry", k.ID, "--expires", "2099-01-02T03:04:05Z")
		if len(changed) != 2 || changed["id"] != k.ID || changed["expires_at"] != "2099-01-02T03:04:05.000Z" {
			t.Errorf("set-expiry printed %v", changed)
		}
		if out := p.ok("key", "set-expiry", k.ID, "--expires", "never"); out != "Key "+k.ID+" now ends: never.\n" {
			t.Errorf("set-expiry printed %q", out)
		}
		for _, args := range [][]string{{"create", "--workspace", "Acme", "--name", "a", "--scope", "read"}, {"set-expiry", k.ID}} {
			p.fails("the key's expiry must be before the year 10000 in UTC", append(append([]string{"key"}, args...), "--expires", "9999-12-31T23:30:00-01:00")...)
		}
		changed = nil
		p.json(&changed, "key", "rotate", k.ID, "--overlap", "1h")
		token, _ := changed["token"].(string)
		if len(token) != 40 || token == k.Token || changed["replaces"] != k.ID || changed["name"] != "Zoë's <key>" || changed["scope"] != "read" || changed["workspace"] != "Acme" || changed["expires_at"] != nil {
			t.Errorf("rotate printed %v", changed)
		}
		p.fails("the key was rotated already: rotate the one that took its place", "key", "rotate", k.ID)
		next, _ := changed["id"].(string)
		if out := p.ok("key", "rotate", next, "--overlap", "0"); !strings.Contains(out, "\n  wrk_") || !strings.Contains(out, next) {
			t.Errorf("rotate printed %q", out)
		}
		p.fails("the key has expired, and cannot be changed any more", "key", "set-scope", next, "--scope", "write")
		p.ok("key", "revoke", k.ID)
		for _, args := range [][]string{{"rename", k.ID, "--name", "a"}, {"set-scope", k.ID, "--scope", "write"}, {"set-expiry", k.ID, "--expires", "1h"}, {"rotate", k.ID}} {
			p.fails("the key is revoked, and cannot be changed any more", append([]string{"key"}, args...)...)
		}
		var all []map[string]any
		p.json(&all, "key", "list", "--workspace", "Acme")
		if len(all) != 3 || all[1]["replaces"] != k.ID || all[2]["replaces"] != nil {
			t.Errorf("listed %v", all)
		}
	})
}

func TestKeyChangeFaults(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	const nobody = "0190163d-8694-739b-aea5-966c26f8ad90"
	p.ok("workspace", "create", "Acme")
	k := p.key("Acme", "read")
	p.fails("the key's name must not be blank", "key", "rename", k.ID, "--name", " ")
	p.fails("expires must be in the future", "key", "set-expiry", k.ID, "--expires", "2001-01-01T00:00:00Z")
	p.fails("expires must be in the future", "key", "set-expiry", k.ID, "--expires", "0s")
	p.fails("expires must be a moment such as 2027-01-31T00:00:00Z or a duration such as 720h", "key", "set-expiry", k.ID, "--expires", "")
	p.fails("the overlap must be between 0 and 168h0m0s", "key", "rotate", k.ID, "--overlap", "169h")
	p.fails("the overlap must be between 0 and 168h0m0s", "key", "rotate", k.ID, "--overlap", "-1s")
	p.failsWith("overlap", "key", "rotate", k.ID, "--overlap", "soon")
	for _, args := range [][]string{{"rename", nobody, "--name", "a"}, {"set-expiry", nobody, "--expires", "1h"}, {"rotate", nobody}} {
		p.fails("there is no key with this id", append([]string{"key"}, args...)...)
	}
	p.failsWith("name", "key", "rename", k.ID)
	p.failsWith("expires", "key", "set-expiry", k.ID)
}
