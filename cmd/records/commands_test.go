package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestHelp(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	for _, args := range [][]string{{"help"}, {"--help"}, {"help", "serve"}, {"key", "create", "--help"}, {}, {"migrate"}} {
		out, log, code := p.run(args...)
		if code != 0 || log != "" || !strings.Contains(out, "records") || !strings.Contains(out, "Usage:") {
			t.Errorf("records %v: exit code %d, %q, %q", args, code, out, log)
		}
	}
	if names, _ := os.ReadDir(p.dir); len(names) != 0 {
		t.Errorf("help left files: %v", names)
	}
}

func TestWorkspaces(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		var created, other struct {
			ID, Name  string
			CreatedAt time.Time `json:"created_at"`
		}
		p.json(&created, "workspace", "create", "Zoë & Söhne <1>")
		if created.Name != "Zoë & Söhne <1>" || len(created.ID) != 36 || time.Since(created.CreatedAt) > time.Minute {
			t.Errorf("created %v", created)
		}
		if out := p.ok("workspace", "create", "Acme"); !strings.HasPrefix(out, `Created workspace "Acme" (`) {
			t.Errorf("printed %q", out)
		}
		var all []struct{ ID, Name string }
		p.json(&all, "workspace", "list")
		if len(all) != 2 || all[0].Name != "Acme" || all[1].ID != created.ID {
			t.Errorf("listed %v", all)
		}
		if out := p.ok("workspace", "list"); !strings.HasPrefix(out, "ID ") || strings.Count(out, "\n") != 3 {
			t.Errorf("printed %q", out)
		}
		p.fails(`there is a workspace "Acme" already`, "workspace", "create", "Acme")
		p.json(&other, "workspace", "create", "acme") // another name
	})
}

func TestNamesAreChecked(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.ok("workspace", "create", "Acme")
		for name, want := range map[string]string{
			"": "must not be blank", " \u3000": "must not be blank", "a\xff": "must be valid UTF-8",
			strings.Repeat("ä", 256): "must be at most 255 characters long",
		} {
			p.fails("the workspace's name "+want, "workspace", "create", name)
			p.fails("the key's name "+want, "key", "create", "--workspace", "Acme", "--scope", "read", "--name", name)
		}
		p.ok("workspace", "create", strings.Repeat("ä", 255))
	})
}

func TestKeys(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		k := p.key("Acme", "read")
		if !strings.HasPrefix(k.Token, k.Prefix) || len(k.Token) != 40 || k.Workspace != "Acme" || k.Scope != "read" || k.Name != "test" {
			t.Errorf("created %v", k)
		}
		text := p.ok("key", "create", "--name", "plain", "--scope=write", "--expires", "720h", "--workspace", "Acme")
		if !strings.HasPrefix(text, "Created key ") || !strings.Contains(text, "\n  wrk_") {
			t.Errorf("printed %q", text)
		}
		var changed map[string]any
		p.json(&changed, "key", "set-scope", strings.ToUpper(k.ID), "--scope", "write")
		if len(changed) != 2 || changed["id"] != k.ID || changed["scope"] != "write" {
			t.Errorf("set-scope printed %v", changed)
		}
		changed = nil
		p.json(&changed, "key", "revoke", k.ID)
		if len(changed) != 2 || changed["id"] != k.ID || changed["revoked"] != true {
			t.Errorf("revoke printed %v", changed)
		}
		p.ok("key", "revoke", k.ID)
		var all []map[string]any
		p.json(&all, "key", "list", "--workspace", "Acme")
		if len(all) != 2 || all[1]["id"] != k.ID || all[1]["scope"] != "write" || all[1]["revoked_at"] == nil || all[0]["expires_at"] == nil || all[0]["revoked_at"] != nil {
			t.Errorf("listed %v", all)
		}
		for _, listed := range all {
			if _, shown := listed["token"]; shown || listed["hash"] != nil {
				t.Errorf("a list shows %v", listed)
			}
		}
		if out := p.ok("key", "list", "--workspace", "Acme"); strings.Contains(out, k.Token) || strings.Count(out, "\n") != 3 {
			t.Errorf("printed %q", out)
		}
	})
}

func TestKeyFaults(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	const nobody = "0190163d-8694-739b-aea5-966c26f8ad90"
	p.ok("workspace", "create", "Acme")
	p.fails(`scope must be "read" or "write"`, "key", "create", "--workspace", "Acme", "--name", "a", "--scope", "admin")
	p.fails(`scope must be "read" or "write"`, "key", "create", "--workspace", "Acme", "--name", "a", "--scope", "Read")
	p.fails(`scope must be "read" or "write"`, "key", "set-scope", nobody, "--scope", "")
	p.fails("there is no workspace \"Nix\"; make it with `records workspace create`", "key", "create", "--workspace", "Nix", "--name", "a", "--scope", "read")
	p.fails("there is no workspace \"Nix\"; make it with `records workspace create`", "key", "list", "--workspace", "Nix")
	p.fails("expires must be a moment such as 2027-01-31T00:00:00Z or a duration such as 720h", "key", "create", "--workspace", "Acme", "--name", "a", "--scope", "read", "--expires", "soon")
	p.fails("there is no key with this id", "key", "revoke", nobody)
	p.fails("there is no key with this id", "key", "set-scope", nobody, "--scope", "read")
	for _, id := range []string{"", "1", "wrk_x", nobody + "0", "{" + nobody + "}", "urn:uuid:" + nobody} {
		p.fails("\""+id+"\" is not the id of a key; see `records key list`", "key", "revoke", id)
	}
	p.failsWith("name", "key", "create", "--workspace", "Acme", "--scope", "read")
	p.failsWith("arg", "key", "revoke")
	p.failsWith("arg", "workspace", "create", "two", "names")
}

func TestSeed(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		var first, second struct {
			Workspace string
			ID        string `json:"workspace_id"`
			Created   int
		}
		p.json(&first, "seed")
		p.json(&second, "seed")
		if first.Workspace != "Demo" || first.Created < 10 || second.Created != 0 || second.ID != first.ID {
			t.Errorf("seeded %v, then %v", first, second)
		}
	})
}

// The database of the default settings is made in the working folder, for its
// owner only.
func TestSQLiteIsMadeAndBroughtUpToDate(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	out, log, code := p.run("workspace", "list", "--json")
	if code != 0 || out != "[]\n" || !strings.Contains(log, "migrated") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out, log)
	}
	info, err := os.Stat(filepath.Join(p.dir, "records.db"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if _, log, _ := p.run("workspace", "list"); log != "" {
		t.Errorf("the second command logs %q", log)
	}
}

// The program names the version that it was built from, and the tests' has none.
func TestVersion(t *testing.T) {
	t.Parallel()
	if out := newProgram(t, "").ok("--version"); !strings.HasPrefix(out, "records version ") {
		t.Errorf("printed %q", out)
	}
}
