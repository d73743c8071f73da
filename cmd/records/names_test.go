package main_test

import (
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
