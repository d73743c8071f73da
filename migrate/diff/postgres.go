package diff

import (
	"context"
	"fmt"
	"slices"

	"ariga.io/atlas/sql/postgres"
	atlas "ariga.io/atlas/sql/schema"
)

// postgres plans the changes so that neither readers nor writers of a table
// wait for longer than a moment, however many rows it has. Tables that are new
// have none.
func (p *plan) postgres(ctx context.Context, changes []atlas.Change) error {
	if err := p.addTables(ctx, changes); err != nil {
		return err
	}
	var last []statement
	for _, m := range changesOf[*atlas.ModifyTable](changes) {
		var checks []statement
		firsts, lasts := len(p.first), len(last)
		for _, c := range withoutImplied(m.Changes) {
			if err := p.alter(ctx, m, c, &checks, &last); err != nil {
				return err
			}
		}
		p.first = append(p.first, checks...)
		altering(m.T.Name, p.first[firsts:])
		altering(m.T.Name, last[lasts:])
		changed, dropped := changedReferences(m.Changes)
		p.first = slices.Insert(p.first, firsts, p.lockParents(m.T.Name, changed)...)
		last = slices.Insert(last, lasts, p.lockParents(m.T.Name, dropped)...)
	}
	p.first = slices.Concat(p.first, last, p.dropTables(changes), p.forget(changes))
	return nil
}

// dropTables are the tables that go, in any order: first the references among
// them.
func (p *plan) dropTables(changes []atlas.Change) (references []statement) {
	var tables []statement
	var gone []string
	for _, d := range changesOf[*atlas.DropTable](changes) {
		gone = append(gone, d.T.Name)
	}
	for _, d := range changesOf[*atlas.DropTable](changes) {
		for _, fk := range d.T.ForeignKeys {
			if slices.Contains(gone, fk.RefTable.Name) && fk.RefTable.Name != d.T.Name {
				references = append(references, p.lockParents(d.T.Name, []*atlas.ForeignKey{fk})...)
				references = append(references, newStatement("", fmt.Sprintf("ALTER TABLE %s DROP CONSTRAINT %s", p.ident(d.T.Name), p.ident(fk.Symbol))))
				altering(d.T.Name, references[len(references)-1:])
			}
		}
		tables = append(tables, p.lockParents(d.T.Name, d.T.ForeignKeys, gone...)...)
		tables = append(tables, newStatement(fmt.Sprintf("drop %q table", d.T.Name), "DROP TABLE "+p.ident(d.T.Name)))
		altering(d.T.Name, tables[len(tables)-1:])
	}
	return append(references, tables...)
}

// addTables plans the tables that are new, in the order that their references
// ask for.
func (p *plan) addTables(ctx context.Context, changes []atlas.Change) error {
	var tables []atlas.Change
	var keys []*atlas.ForeignKey
	for _, a := range changesOf[*atlas.AddTable](changes) {
		tables = append(tables, a)
		keys = append(keys, a.T.ForeignKeys...)
	}
	planned, err := p.statements(ctx, tables...)
	if err != nil || len(planned) == 0 {
		return err
	}
	name := tables[0].(*atlas.AddTable).T.Name
	added := p.lockParents(name, keys)
	for _, c := range planned {
		added = append(added, newStatement(c.Comment, c.Cmd))
	}
	added = append(added, p.leaveRoom(changes)...)
	altering(name, added)
	p.first = append(p.first, added...)
	p.created = len(p.first)
	return nil
}

// alter plans one change of a table. A check comes when its columns are there; what
// destroys goes to the end.
func (p *plan) alter(ctx context.Context, m *atlas.ModifyTable, c atlas.Change, checks, last *[]statement) error {
	t := m.T
	switch c := c.(type) {
	case *atlas.DropColumn:
		return p.add(ctx, last, t, c)
	case *atlas.DropForeignKey:
		return p.add(ctx, &p.first, t, c)
	case *atlas.ModifyColumn:
		return p.alterColumn(ctx, t, c)
	case *atlas.AddForeignKey:
		p.validateLater(t, c.F.Symbol)
		return p.add(ctx, &p.first, t, &atlas.AddForeignKey{F: c.F, Extra: []atlas.Clause{&postgres.NotValid{}}})
	case *atlas.AddCheck:
		p.validateLater(t, c.C.Name)
		return p.add(ctx, checks, t, &atlas.AddCheck{C: c.C, Extra: []atlas.Clause{&postgres.NotValid{}}})
	case *atlas.AddIndex:
		return p.addAlone(ctx, "index_"+c.I.Name, t, &atlas.AddIndex{I: c.I, Extra: []atlas.Clause{&postgres.Concurrently{}}})
	case *atlas.DropIndex:
		return p.addAlone(ctx, "drop_index_"+c.I.Name, t, &atlas.DropIndex{I: c.I, Extra: []atlas.Clause{&postgres.Concurrently{}}})
	case *atlas.RenameConstraint:
		from, to := c.From.(*atlas.ForeignKey).Symbol, c.To.(*atlas.ForeignKey).Symbol
		p.first = append(p.first, newStatement(fmt.Sprintf("rename a constraint from %q to %q", from, to),
			fmt.Sprintf("ALTER TABLE %s RENAME CONSTRAINT %s TO %s", p.ident(t.Name), p.ident(from), p.ident(to))))
		return nil
	}
	return p.add(ctx, &p.first, t, c)
}

// alterColumn plans the change of a column, each part by itself.
func (p *plan) alterColumn(ctx context.Context, t *atlas.Table, c *atlas.ModifyColumn) error {
	only := func(kind atlas.ChangeKind) error {
		if !c.Change.Is(kind) {
			return nil
		}
		return p.add(ctx, &p.first, t, &atlas.ModifyColumn{From: c.From, To: c.To, Change: kind})
	}
	if err := only(atlas.ChangeType); err != nil {
		return err
	}
	if err := only(atlas.ChangeDefault); err != nil {
		return err
	}
	if c.Change.Is(atlas.ChangeNull) && !c.To.Type.Null {
		p.require(t, c.To)
		return nil
	}
	return only(atlas.ChangeNull)
}

// require makes a column required. SET NOT NULL alone would read the whole
// table under a lock that stops everyone; where a valid check says the same,
// PostgreSQL looks no further. The check holds new rows to it before the old
// ones get their value, so that none is missed in between. A second column has
// its turn when the first is done: to fill either would break the other's check.
func (p *plan) require(t *atlas.Table, c *atlas.Column) {
	table, column, check := p.ident(t.Name), p.ident(c.Name), p.ident(short(t.Name+"_"+c.Name+"_required"))
	hold := newStatement(fmt.Sprintf("from now on no row of %q is without %q", t.Name, c.Name),
		fmt.Sprintf("ALTER TABLE %s ADD CONSTRAINT %s CHECK (%s IS NOT NULL) NOT VALID", table, check, column))
	fill := newStatement(fmt.Sprintf("old rows of %q without %q get its default", t.Name, c.Name),
		fmt.Sprintf("UPDATE %s SET %s = DEFAULT WHERE %[2]s IS NULL", table, column))
	validate := newStatement("", fmt.Sprintf("ALTER TABLE %s VALIDATE CONSTRAINT %s", table, check))
	settle := []statement{
		newStatement("", fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s SET NOT NULL", table, column)),
		newStatement("", fmt.Sprintf("ALTER TABLE %s DROP CONSTRAINT %s", table, check)),
	}
	if len(p.fill) == 0 {
		p.first, p.fill, p.validate, p.settle = append(p.first, hold), append(p.fill, fill), append(p.validate, validate), settle
		return
	}
	p.then = append(p.then,
		step{label: "require_" + c.Name, statements: []statement{hold}},
		step{label: "fill_" + c.Name, statements: []statement{fill}},
		step{label: "validate_" + c.Name, statements: append([]statement{validate}, settle...)})
}

// validateLater holds the rows that are there to a constraint, in a file of its
// own, so that no lock of the first is kept meanwhile.
func (p *plan) validateLater(t *atlas.Table, constraint string) {
	p.validate = append(p.validate, newStatement(fmt.Sprintf("hold the old rows of %q to %q", t.Name, constraint),
		fmt.Sprintf("ALTER TABLE %s VALIDATE CONSTRAINT %s", p.ident(t.Name), p.ident(constraint))))
}

// addAlone plans a change that PostgreSQL makes outside of a transaction only.
func (p *plan) addAlone(ctx context.Context, label string, t *atlas.Table, c atlas.Change) error {
	s := step{label: label, alone: true}
	err := p.add(ctx, &s.statements, t, c)
	p.alone = append(p.alone, s)
	return err
}

// changedReferences are the references that are added or dropped, and those of them
// that are dropped with their column.
func changedReferences(changes []atlas.Change) (changed, dropped []*atlas.ForeignKey) {
	explicit := changesOf[*atlas.DropForeignKey](withoutImplied(changes))
	for _, c := range changesOf[*atlas.DropForeignKey](changes) {
		if slices.Contains(explicit, c) {
			changed = append(changed, c.F)
		} else {
			dropped = append(dropped, c.F)
		}
	}
	for _, c := range changesOf[*atlas.AddForeignKey](changes) {
		changed = append(changed, c.F)
	}
	return changed, dropped
}

// withoutImplied leaves out the indexes and constraints that PostgreSQL drops
// with one of their columns.
func withoutImplied(changes []atlas.Change) []atlas.Change {
	gone := map[string]bool{}
	for _, d := range changesOf[*atlas.DropColumn](changes) {
		gone[d.C.Name] = true
	}
	return slices.DeleteFunc(slices.Clone(changes), func(c atlas.Change) bool {
		switch c := c.(type) {
		case *atlas.DropIndex:
			return slices.ContainsFunc(c.I.Parts, func(p *atlas.IndexPart) bool { return p.C != nil && gone[p.C.Name] })
		case *atlas.DropForeignKey:
			return slices.ContainsFunc(c.F.Columns, func(c *atlas.Column) bool { return gone[c.Name] })
		}
		return false
	})
}
