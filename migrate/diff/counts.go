package diff

import (
	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"

	"records/ent/rule"
	"records/migrate/counts"
)

// keyCounts gives the table of the counts its primary key. Ent takes the slot for
// an id that the database makes up.
func keyCounts(t *schema.Table) {
	var key []*schema.Column
	for _, name := range counts.Key {
		key = append(key, column(t, name))
	}
	keyBy(t, key...)
	column(t, "slot").Increment = false
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
