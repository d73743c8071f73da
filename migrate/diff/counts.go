package diff

import (
	"slices"

	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"

	"records/ent/rule"
	"records/migrate/counts"
)

// keyCounts gives the table of the counts its primary key, and has it begin with
// it: see isolate. Ent takes the slot for an id that the database makes up.
func keyCounts(t *schema.Table) {
	t.PrimaryKey = nil
	for _, name := range counts.Key {
		t.PrimaryKey = append(t.PrimaryKey, column(t, name))
	}
	for _, c := range t.PrimaryKey {
		c.Increment = false
	}
	rest := slices.DeleteFunc(slices.Clone(t.Columns), func(c *schema.Column) bool { return slices.Contains(t.PrimaryKey, c) })
	t.Columns = slices.Concat(t.PrimaryKey, rest)
}

// leaveRoom has PostgreSQL leave half of each page of the counts empty, where the
// table is new: a changed count then stays on its page, and no index has to know
// of it (a heap-only tuple). It is set once and not compared.
func (p *plan) leaveRoom(changes []atlas.Change) []statement {
	for _, a := range changesOf[*atlas.AddTable](changes) {
		if a.T.Name == counts.Table && p.db.Dialect() == dialect.Postgres {
			return []statement{newStatement("leave room for changed counts beside the old ones", "ALTER TABLE "+p.ident(a.T.Name)+" SET (fillfactor = 50)")}
		}
	}
	return nil
}

// forget removes the counts of records whose table is dropped.
func (p *plan) forget(changes []atlas.Change) (statements []statement) {
	for _, d := range changesOf[*atlas.DropTable](changes) {
		if p.there[counts.Table] && d.T.PrimaryKey.Parts[0].C.Name == rule.WorkspaceField {
			statements = append(statements, newStatement("", counts.Forget(d.T.Name)))
		}
	}
	return statements
}
