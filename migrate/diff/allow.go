package diff

import (
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
)

// allow is the comment that allows what a statement needs: the rules of `records
// migrate lint` that it breaks, as "destroys, breaks". The developer's reason
// allows all of it. That SQLite copies a table needs no reason of theirs, since
// it has no other way.
func (p *plan) allow(needs string) string {
	const rewrites = "rewrites"
	switch {
	case needs == "":
		return ""
	case p.reason != "":
		return "records: allow " + needs + ": " + p.reason
	case p.db.Dialect() == dialect.SQLite && strings.Contains(needs, rewrites):
		p.refused = p.refused || needs != rewrites
		return "records: allow rewrites: SQLite changes this only by copying the table"
	}
	p.refused = true
	return ""
}

// rebuildNeeds is what has to be allowed where SQLite copies a table.
func rebuildNeeds(m *atlas.ModifyTable) string {
	needs := "rewrites"
	if len(changesOf[*atlas.DropColumn](m.Changes)) > 0 {
		needs += ", destroys"
	}
	if slices.ContainsFunc(m.Changes, func(c atlas.Change) bool { return rebuildBreaks(m, c) }) {
		needs += ", breaks"
	}
	return needs
}

// rebuildBreaks reports whether the program that still runs may fail on a change.
func rebuildBreaks(m *atlas.ModifyTable, c atlas.Change) bool {
	switch c := c.(type) {
	case *atlas.DropColumn, *atlas.AddCheck:
		return true
	case *atlas.ModifyColumn:
		return c.Change.Is(atlas.ChangeType) || c.Change.Is(atlas.ChangeNull) && !c.To.Type.Null || losesDefault(c)
	case *atlas.AddForeignKey:
		return breaksUnlessNew(m, c.F.Columns) != ""
	case *atlas.DropForeignKey:
		_, kept := m.T.Column(c.F.Columns[len(c.F.Columns)-1].Name)
		return kept
	}
	return false
}

// losesDefault reports whether a program that leaves the column out fails now.
func losesDefault(c *atlas.ModifyColumn) bool {
	return c.Change.Is(atlas.ChangeDefault) && c.To.Default == nil && !c.To.Type.Null
}

// breaksUnlessNew is what a constraint on the columns needs: nothing where the
// program that still runs leaves one of them null.
func breaksUnlessNew(m *atlas.ModifyTable, columns []*atlas.Column) string {
	return breaksIf(!slices.ContainsFunc(columns, func(c *atlas.Column) bool {
		return isNew(m, c) && c.Type.Null && c.Default == nil
	}))
}

func breaksIf(broken bool) string {
	if broken {
		return "breaks"
	}
	return ""
}

// uniqueNeeds is what a new index needs: a unique one refuses what the program
// that still runs may write.
func uniqueNeeds(m *atlas.ModifyTable, i *atlas.Index) string {
	if !i.Unique {
		return ""
	}
	var columns []*atlas.Column
	for _, p := range i.Parts {
		if p.C != nil {
			columns = append(columns, p.C)
		}
	}
	return breaksUnlessNew(m, columns)
}
