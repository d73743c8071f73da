package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/schema"

	"records/ent/rule"
)

// words say for people what a plan changes, by table.
type words map[string][]string

func (w words) say(table, format string, args ...any) {
	w[table] = append(w[table], fmt.Sprintf(format, args...))
}

// lines are one line for each table.
func (w words) lines() (lines []string) {
	for _, t := range slices.Sorted(maps.Keys(w)) {
		lines = append(lines, t+": "+strings.Join(w[t], ", "))
	}
	return lines
}

func (w words) add(changes []atlas.Change) {
	for _, c := range changes {
		switch c := c.(type) {
		case *atlas.AddTable:
			w.say(c.T.Name, "new table%s%s", counted(len(c.T.Indexes), ", 1 index", ", %d indexes"), targets(c.T))
		case *atlas.DropTable:
			w.say(c.T.Name, "dropped, with all records")
		case *atlas.ModifyTable:
			for _, change := range c.Changes {
				w.addChange(c, change)
			}
		}
	}
}

func (w words) addChange(m *atlas.ModifyTable, c atlas.Change) {
	table := m.T.Name
	switch c := c.(type) {
	case *atlas.AddColumn:
		w.addColumn(m, c.C)
	case *atlas.DropColumn:
		w.say(table, "%s dropped, with what is in it", c.C.Name)
	case *atlas.ModifyColumn:
		w.addColumnChange(table, c)
	case *atlas.AddIndex:
		switch {
		case c.I.Unique:
			w.say(table, "new unique index %s (refused while two records have the same)", c.I.Name)
		case !onNewReference(m, c.I):
			w.say(table, "new index %s", c.I.Name)
		}
	case *atlas.DropIndex:
		w.say(table, "index %s dropped", c.I.Name)
	case *atlas.RenameIndex:
		w.say(table, "index %s renamed to %s", c.From.Name, c.To.Name)
	case *atlas.AddForeignKey:
		if column := c.F.Columns[len(c.F.Columns)-1]; !isNew(m, column) {
			w.say(table, "%s refers to %s now (refused while one names no record)", column.Name, c.F.RefTable.Name)
		}
	case *atlas.DropForeignKey:
		w.say(table, "%s refers to nothing any more", c.F.Columns[len(c.F.Columns)-1].Name)
	case *atlas.AddCheck:
		w.say(table, "new rule %s (refused while a record breaks it)", c.C.Name)
	case *atlas.DropCheck:
		w.say(table, "rule %s dropped", c.C.Name)
	}
}

func (w words) addColumn(m *atlas.ModifyTable, c *atlas.Column) {
	for _, fk := range changesOf[*atlas.AddForeignKey](m.Changes) {
		if slices.Contains(fk.F.Columns, c) {
			w.say(m.T.Name, "new reference %s (%s)", c.Name, fk.F.RefTable.Name)
			return
		}
	}
	if c.Default != nil {
		w.say(m.T.Name, "new column %s (old records get %s)", c.Name, defaultText(c))
		return
	}
	w.say(m.T.Name, "new column %s", c.Name)
}

func (w words) addColumnChange(table string, c *atlas.ModifyColumn) {
	name := c.To.Name
	if c.Change.Is(atlas.ChangeType) {
		w.say(table, "%s has another type", name)
	}
	switch {
	case c.Change.Is(atlas.ChangeNull) && !c.To.Type.Null:
		w.say(table, "%s is required (old records without one get %s)", name, defaultText(c.To))
		return
	case c.Change.Is(atlas.ChangeNull):
		w.say(table, "%s is optional", name)
	}
	switch {
	case c.Change.Is(atlas.ChangeDefault) && c.To.Default == nil:
		w.say(table, "%s has no default any more", name)
	case c.Change.Is(atlas.ChangeDefault):
		w.say(table, "%s has the default %s", name, defaultText(c.To))
	}
}

// defaultText is the default of a column as it stands in SQL, without a cast.
func defaultText(c *atlas.Column) string {
	var text string
	switch d := c.Default.(type) {
	case *atlas.Literal:
		text = d.V
	case *atlas.RawExpr:
		text = d.X
	}
	if i := strings.LastIndex(text, "'::"); i > 0 {
		return text[:i+1]
	}
	return text
}

// targets are the resources that a new table refers to.
func targets(t *atlas.Table) string {
	var names []string
	for _, fk := range t.ForeignKeys {
		if len(fk.Columns) > 1 {
			names = append(names, fk.RefTable.Name)
		}
	}
	slices.Sort(names)
	return counted(len(names), ", 1 reference", ", %d references") + wrapped(strings.Join(names, ", "))
}

func counted(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return one
	}
	return fmt.Sprintf(many, n)
}

func wrapped(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// onNewReference reports whether an index serves a reference that is new, which
// has been told already.
func onNewReference(m *atlas.ModifyTable, i *atlas.Index) bool {
	for _, fk := range changesOf[*atlas.AddForeignKey](m.Changes) {
		if len(i.Parts) == 2 && len(fk.F.Columns) == 2 && i.Parts[1].C == fk.F.Columns[1] && i.Parts[0].C.Name == rule.WorkspaceField {
			return true
		}
	}
	return false
}

func isNew(m *atlas.ModifyTable, column *atlas.Column) bool {
	return slices.ContainsFunc(changesOf[*atlas.AddColumn](m.Changes), func(a *atlas.AddColumn) bool { return a.C == column })
}

// describe names changes in the terms of Atlas, for an error of our own.
func describe(changes []atlas.Change) string {
	var all []string
	for _, c := range changes {
		if m, ok := c.(*atlas.ModifyTable); ok {
			for _, c := range m.Changes {
				all = append(all, fmt.Sprintf("%T of %s", c, m.T.Name))
			}
			continue
		}
		all = append(all, fmt.Sprintf("%T", c))
	}
	return strings.Join(all, ", ")
}
