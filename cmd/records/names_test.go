package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/dbtest"
)

// A workspace that is named like another's id takes nothing that was meant for that
// one, and is reached by its own id.
func TestWorkspaceNamedLikeAnID(t *testing.T) {
	t.Parallel()
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(d, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, d)
			p := newProgram(t, url)
			var own struct{ ID string }
			p.json(&own, "workspace", "create", "Acme")

			// Of old: no such name can be given any more.
			nobody := uuid.NewString()
			client := ent.NewClient(ent.Driver(dbtest.OpenURL(t, url).Driver()))
			other := client.Workspace.Create().SetName(own.ID).SaveX(rule.AsOperator(t.Context()))
			client.Workspace.Create().SetName(strings.ToUpper(own.ID)).SaveX(rule.AsOperator(t.Context()))
			client.Workspace.Create().SetName(nobody).SaveX(rule.AsOperator(t.Context()))

			var made key
			for _, id := range []string{own.ID, strings.ToUpper(own.ID)} {
				p.json(&made, "key", "create", "--workspace", id, "--name", "a", "--scope", "read")
				if made.Workspace != "Acme" {
					t.Errorf("%s is taken for the workspace %q", id, made.Workspace)
				}
			}
			p.json(&made, "key", "create", "--workspace", other.ID.String(), "--name", "a", "--scope", "read")
			if made.Workspace != own.ID {
				t.Errorf("its own id is taken for %q", made.Workspace)
			}
			p.fails("there is no workspace with the id "+nobody+"; see `records workspace list`", "key", "list", "--workspace", nobody)

			for _, id := range []string{uuid.NewString(), strings.ToUpper(uuid.NewString()), uuid.Nil.String()} {
				p.fails("the workspace's name must not be a UUID: commands take one for a workspace's id", "workspace", "create", id)
			}
			p.ok("workspace", "create", strings.ReplaceAll(nobody, "-", "")) // which no id is written as
		})
	}
}

// A name that is not valid UTF-8 is that of no workspace, though PostgreSQL refuses to
// look for one.
func TestWorkspaceOfNoText(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.fails("there is no workspace \"a\\xff\"; make it with `records workspace create`", "key", "list", "--workspace", "a\xff")
	})
}

// What somebody named stays in its cell and its line, and steers no terminal. JSON has
// it as it is.
func TestNamesAreShownEscaped(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		const (
			name  = "a\n0199f2ab\tb\r\x1b[2J\u009b1m\u202egnp.\u2028\u00a0 \"C:\\new\" Zoë 🥨"
			shown = `a\n0199f2ab\tb\r\x1b[2J\u009b1m\u202egnp.\u2028\u00a0 "C:\new" Zoë 🥨`
		)
		p.ok("workspace", "create", name)
		p.ok("key", "create", "--workspace", name, "--name", name, "--scope", "read")
		for _, args := range [][]string{{"workspace", "list"}, {"key", "list", "--workspace", name}} {
			if out := p.ok(args...); !strings.HasSuffix(out, "  "+shown+"\n") || strings.Count(out, "\n") != 2 {
				t.Errorf("records %q prints %q", args, out)
			}
			var all []struct{ Name string }
			if p.json(&all, args...); len(all) != 1 || all[0].Name != name {
				t.Errorf("records %q --json: %q", args, all)
			}
		}
		p.file("tasks.ndjson", "{\"name\":\"a\"}\n")
		var list []struct{ ID string }
		p.json(&list, "key", "list", "--workspace", name)
		for _, args := range [][]string{
			{"import", "tasks", "tasks.ndjson", "--workspace", name},
			{"key", "create", "--workspace", name, "--name", name, "--scope", "read"},
			{"key", "rename", list[0].ID, "--name", name},
			{"key", "rotate", list[0].ID},
			{"workspace", "invite", name},
		} {
			if out := p.ok(args...); strings.ContainsAny(out, "\t\r\x1b\u009b\u202e\u2028\u00a0") || strings.Contains(out, "\n0199f2ab") {
				t.Errorf("records %q prints %q", args, out)
			}
		}
		p.fails(`open a\x1b[2J.csv: no such file or directory`, "import", "tasks", "a\x1b[2J.csv", "--workspace", name)
	})
}

// What the doctor tells repeats what others named, too.
func TestFindingsAreShownEscaped(t *testing.T) {
	t.Parallel()
	const name = "a\x1b[2J\nb.db"
	p := newProgram(t, "sqlite:"+name)
	p.ok("workspace", "list")
	if err := os.Chmod(filepath.Join(p.dir, name), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, _, code := p.run("doctor"); code != 1 || !strings.Contains(out, `a\x1b[2J\nb.db can be read by others`) || strings.Contains(out, "\x1b") {
		t.Errorf("it exits with %d and says %q", code, out)
	}
}
