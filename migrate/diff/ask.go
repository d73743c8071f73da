package diff

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ariga.io/atlas/sql/postgres"
	atlas "ariga.io/atlas/sql/schema"
	"ariga.io/atlas/sql/sqlite"
	"entgo.io/ent/dialect"

	"records/ent/rule"
)

// ask is what the developer has to say before a migration can be written. One
// question is asked once, whatever the number of dialects it comes up on.
type ask struct {
	about, text string
	allowed     bool // by a reason
}

func (p *plan) askFor(table, about, format string, args ...any) {
	p.asks = append(p.asks, ask{about: table + "." + about, text: p.declaration.source(table) + ": " + fmt.Sprintf(format, args...)})
}

// askWhy asks for what a reason allows.
func (p *plan) askWhy(table, about, format string, args ...any) {
	if p.reason == "" {
		p.askFor(table, about, format, args...)
		p.asks[len(p.asks)-1].allowed = true
	}
}

// ask collects what is unsafe or cannot be known.
func (p *plan) ask(changes []atlas.Change) {
	for _, c := range changes {
		switch c := c.(type) {
		case *atlas.AddTable:
		case *atlas.DropTable:
			p.askWhy(c.T.Name, "", "no schema declares the table %s any more, and all its records would be lost; if its schema has another name now, keep the table with entsql.Table(%[1]q) in its Annotations()", c.T.Name)
		case *atlas.ModifyTable:
			p.askOfTable(c)
		default:
			p.askFor("the schema", "", "a change that make migration cannot write: %T", c)
		}
	}
}

func (p *plan) askOfTable(m *atlas.ModifyTable) {
	for _, c := range m.Changes {
		switch c := c.(type) {
		case *atlas.AddColumn:
			if !c.C.Type.Null && c.C.Default == nil {
				p.askFor(m.T.Name, c.C.Name, "%s is new and required, and there may be records already: say what those get with annotation.Backfill(\"…\"), %s", c.C.Name, otherwise(c.C))
			}
		case *atlas.ModifyColumn:
			p.askOfColumn(m.T, c)
		case *atlas.DropColumn:
			p.askWhy(m.T.Name, c.C.Name, "%s is gone, and what the records have in it would be lost%s", c.C.Name, p.hint(m, c.C))
		case *atlas.AddForeignKey:
			p.askOfReference(m, c.F)
		case *atlas.AddIndex:
			p.askOfIndex(m, c.I)
		case *atlas.DropIndex, *atlas.RenameIndex, *atlas.DropForeignKey, *atlas.RenameConstraint, *atlas.AddCheck, *atlas.DropCheck:
		default:
			p.askFor(m.T.Name, fmt.Sprintf("%T", c), "a change that make migration cannot write: %T", c)
		}
	}
}

// otherwise is what else may be done of a new column than a Backfill. The default of a
// list or an object is none of its column's.
func otherwise(c *atlas.Column) string {
	if _, isJSON := c.Type.Type.(*atlas.JSONType); isJSON {
		return "or make it Optional()"
	}
	return "give it a static Default, or make it Optional().Nillable()"
}

// hint names the new columns that could be the one that is gone.
func (p *plan) hint(m *atlas.ModifyTable, gone *atlas.Column) string {
	var may []string
	for _, a := range changesOf[*atlas.AddColumn](m.Changes) {
		if p.typeText(a.C) == p.typeText(gone) {
			may = append(may, a.C.Name)
		}
	}
	if len(may) == 0 {
		return ""
	}
	return fmt.Sprintf("; if it was renamed to %s, say so there with annotation.RenamedFrom(%q)", strings.Join(may, " or "), gone.Name)
}

func (p *plan) askOfColumn(t *atlas.Table, c *atlas.ModifyColumn) {
	name := c.To.Name
	if c.Change.Is(atlas.ChangeNull) && !c.To.Type.Null && c.To.Default == nil {
		p.askFor(t.Name, name, "%s becomes required, and there may be records without it: say what those get with annotation.Backfill(\"…\"), or give it a static Default", name)
	}
	if !c.Change.Is(atlas.ChangeType) {
		return
	}
	from, to := p.typeText(c.From), p.typeText(c.To)
	switch w := widens(from, to); {
	case !w.ok:
		p.askFor(t.Name, name, "%s changes from %s to %s, and not every value can follow: add a field of another name instead, and remove this one when nobody reads it any more", name, from, to)
	case !w.free:
		p.askWhy(t.Name, name, "%s changes from %s to %s, for which PostgreSQL writes the whole table anew while everyone waits: add a field of another name instead, or give a reason if the table is small", name, from, to)
	}
}

// askOfReference refuses a reference that would name records of another kind.
func (p *plan) askOfReference(m *atlas.ModifyTable, to *atlas.ForeignKey) {
	for _, from := range changesOf[*atlas.DropForeignKey](m.Changes) {
		if fmt.Sprint(columnNames(from.F.Columns)) == fmt.Sprint(columnNames(to.Columns)) && from.F.RefTable.Name != to.RefTable.Name {
			column := to.Columns[len(to.Columns)-1].Name
			p.askFor(m.T.Name, column, "%s refers to %s now, and its values to %s: add a field of another name for the new reference", column, to.RefTable.Name, from.F.RefTable.Name)
		}
	}
}

// askOfIndex refuses an index by which no two records of a workspace may have what all
// old ones get.
func (p *plan) askOfIndex(m *atlas.ModifyTable, i *atlas.Index) {
	var fields []string
	for _, part := range i.Parts {
		if part.C == nil || part.C.Name == rule.WorkspaceField {
			continue
		}
		fields = append(fields, part.C.Name)
		isNew := slices.ContainsFunc(m.Changes, func(c atlas.Change) bool {
			a, ok := c.(*atlas.AddColumn)
			return ok && a.C.Name == part.C.Name && a.C.Default != nil
		})
		if !isNew {
			return
		}
	}
	if i.Unique && len(fields) > 0 {
		p.askFor(m.T.Name, i.Name, "%s is new and unique, and all old records of a workspace would get the same: make it Optional().Nillable() without a Backfill or a Default", strings.Join(fields, " with "))
	}
}

// refusal is everything that has to be said, nil for nothing.
func refusal(name string, plans []*plan) error {
	var texts []string
	allowed := false
	seen := map[string]bool{}
	for _, p := range plans {
		for _, a := range p.asks {
			if !seen[a.about] {
				seen[a.about] = true
				texts = append(texts, a.text)
				allowed = allowed || a.allowed
			}
		}
	}
	if len(texts) == 0 {
		return nil
	}
	message := "nothing was written:\n  " + strings.Join(texts, "\n  ")
	if allowed {
		message += fmt.Sprintf("\nwhat would be lost goes only with a reason: make migration name=%s reason='nobody has used it since v1.2'", name)
	}
	return errors.New(message)
}

// lintRefuses asks for a reason where lint would refuse what would be written, so
// that no file is written which CI then refuses.
func lintRefuses(name string, whys []string) error {
	slices.Sort(whys)
	return fmt.Errorf("nothing was written: a program that still runs would fail on this, or wait for it:\n  %s\nif that is all right, say why: make migration name=%s reason='no release has had the field'\nwhere the last release would fail, it will refuse the database then, and has to be stopped first",
		strings.Join(slices.Compact(whys), "\n  "), name)
}

// widening says whether every value of one type has a place in another, and
// whether PostgreSQL then leaves the table as it is.
type widening struct{ ok, free bool }

func widens(from, to string) widening {
	if from == to {
		return widening{true, true}
	}
	return map[[2]string]widening{
		{"character varying", "text"}:     {true, true},
		{"smallint", "integer"}:           {true, false},
		{"smallint", "bigint"}:            {true, false},
		{"integer", "bigint"}:             {true, false},
		{"smallint", "character varying"}: {true, false},
		{"integer", "character varying"}:  {true, false},
		{"bigint", "character varying"}:   {true, false},
		{"uuid", "character varying"}:     {true, false},
		{"integer", "text"}:               {true, false}, // SQLite's names
		{"uuid", "text"}:                  {true, false},
	}[[2]string{from, to}]
}

// typeText is the type of a column in SQL.
func (p *plan) typeText(c *atlas.Column) string {
	format := sqlite.FormatType
	if p.db.Dialect() == dialect.Postgres {
		format = postgres.FormatType
	}
	text, err := format(c.Type.Type)
	if err != nil {
		return c.Type.Raw
	}
	return text
}
