package diff

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/schema"
)

// sqlite plans the changes for SQLite, which runs them all in one transaction
// with foreign keys checked at its end (see package migrate).
func (p *plan) sqlite(ctx context.Context, changes []atlas.Change) error {
	if err := p.addTables(ctx, changes); err != nil {
		return err
	}
	for _, m := range changesOf[*atlas.ModifyTable](changes) {
		write := p.alterInPlace
		if rebuilds(m.Changes) {
			write = p.rebuild
			p.words.say(m.T.Name, "the table is written anew")
		}
		if err := write(ctx, m); err != nil {
			return err
		}
	}
	for _, d := range changesOf[*atlas.DropTable](changes) {
		p.first = append(p.first, newStatement(fmt.Sprintf("drop %q table", d.T.Name), "DROP TABLE "+p.ident(d.T.Name)))
	}
	return p.clearTheWay(ctx, changes)
}

// rebuilds reports whether SQLite can make the changes of a table only by
// copying it.
func rebuilds(changes []atlas.Change) bool {
	return slices.ContainsFunc(changes, func(c atlas.Change) bool {
		switch c := c.(type) {
		case *atlas.AddColumn:
			_, expression := c.C.Default.(*atlas.RawExpr)
			return expression || len(c.C.ForeignKeys) > 0
		case *atlas.DropColumn:
			return len(c.C.ForeignKeys) > 0
		case *atlas.AddIndex, *atlas.DropIndex, *atlas.RenameIndex:
			return false
		}
		return true
	})
}

// alterInPlace plans the changes that need no copy: indexes make way for the
// columns that go, and come after those that come.
func (p *plan) alterInPlace(ctx context.Context, m *atlas.ModifyTable) error {
	gone := changesOf[*atlas.DropIndex](m.Changes)
	for _, c := range changesOf[*atlas.RenameIndex](m.Changes) {
		gone = append(gone, &atlas.DropIndex{I: c.From})
	}
	for _, c := range gone {
		if err := p.add(ctx, &p.first, m.T, c); err != nil {
			return err
		}
	}
	for _, c := range changesOf[*atlas.AddColumn](m.Changes) {
		alone := *c.C
		alone.Indexes = nil // Atlas would copy the table for them
		if err := p.add(ctx, &p.first, m.T, &atlas.AddColumn{C: &alone}); err != nil {
			return err
		}
	}
	for _, c := range changesOf[*atlas.DropColumn](m.Changes) {
		p.first = append(p.first, newStatement(fmt.Sprintf("drop column %q from table: %q", c.C.Name, m.T.Name),
			fmt.Sprintf("ALTER TABLE %s DROP COLUMN %s", p.ident(m.T.Name), p.ident(c.C.Name))))
	}
	for _, c := range m.Changes {
		var index *atlas.Index
		switch c := c.(type) {
		case *atlas.RenameIndex: // a new one: the columns are those of the old
			index = c.To
		case *atlas.AddIndex:
			index = c.I
		default:
			continue
		}
		if err := p.add(ctx, &p.first, m.T, &atlas.AddIndex{I: index}); err != nil {
			return err
		}
	}
	return nil
}

// rebuild plans the copy of a table. Atlas would turn foreign keys off and on,
// which does nothing inside a transaction; the runner sees to it.
func (p *plan) rebuild(ctx context.Context, m *atlas.ModifyTable) error {
	planned, err := p.statements(ctx, m)
	if err != nil {
		return err
	}
	for _, c := range planned {
		if strings.HasPrefix(c.Cmd, "PRAGMA") {
			continue
		}
		p.first = append(p.first, newStatement(c.Comment, c.Cmd))
	}
	return nil
}

// clearTheWay puts the removal of triggers before the statements that they
// would make fail.
func (p *plan) clearTheWay(ctx context.Context, changes []atlas.Change) error {
	var tables []string
	for _, c := range changes {
		switch c := c.(type) {
		case *atlas.DropTable:
			tables = append(tables, c.T.Name)
		case *atlas.ModifyTable:
			if rebuilds(c.Changes) || len(changesOf[*atlas.DropColumn](c.Changes)) > 0 {
				tables = append(tables, c.T.Name)
			}
		}
	}
	present, err := presentTriggers(ctx, p.db.SQL())
	if err != nil {
		return err
	}
	var drop []statement
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if slices.ContainsFunc(tables, func(t string) bool { return strings.Contains(present[name], "`"+t+"`") }) {
			drop = append(drop, p.dropTrigger(name))
		}
	}
	p.first = slices.Insert(p.first, p.renamed, drop...)
	return nil
}

// triggers makes the triggers what they are to be, after all else: a table that
// was copied has lost its own, and a renamed column has changed their text.
func (p *plan) triggers(ctx context.Context) error {
	present, err := presentTriggers(ctx, p.db.SQL())
	if err != nil {
		return err
	}
	var changes []statement
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if present[name] != p.wanted[name] {
			changes = append(changes, p.dropTrigger(name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.wanted)) {
		if present[name] != p.wanted[name] {
			changes = append(changes, newStatement("", p.wanted[name]))
		}
	}
	if len(p.first) == 0 && len(changes) > 0 {
		p.words.say("triggers", "written anew")
	}
	p.first = append(p.first, changes...)
	return p.try(ctx, changes)
}

// dropTrigger is the statement that removes a trigger, for good or until it is
// made again.
func (p *plan) dropTrigger(name string) statement {
	return newStatement("", "DROP TRIGGER "+p.ident(name))
}
