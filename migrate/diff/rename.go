package diff

import (
	"context"
	"fmt"
	"strings"

	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
)

// rename gives the columns that still have their former name the present one.
// It does so in the replica at once: indexes and foreign keys follow there as
// they will in every database, and what is compared afterwards is the rest.
func (p *plan) rename(ctx context.Context, tables []*schema.Table) error {
	current, err := p.inspect(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		present, ok := current.Table(t.Name)
		if !ok {
			continue
		}
		for _, c := range t.Columns {
			former, renamed := p.declaration.Renames[t.Name+"."+c.Name]
			_, was := present.Column(former)
			_, is := present.Column(c.Name)
			switch {
			case !renamed, is && !was: // it has been, by an earlier migration
				continue
			case !was:
				p.askOfFormer(t, present, c.Name, former)
				continue
			case is:
				p.askOfName(t, c.Name, former)
				continue
			}
			p.words.say(t.Name, "%s renamed to %s", former, c.Name)
			p.first = append(p.first, newStatement(
				fmt.Sprintf("rename column %q of table %q", former, t.Name),
				fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO %s", p.ident(t.Name), p.ident(former), p.ident(c.Name))))
			altering(t.Name, p.first[len(p.first)-1:])
		}
	}
	return p.try(ctx, p.first)
}

// askOfFormer refuses a field that is renamed from what there is not: a slip of the pen,
// by which the values would be lost of the one that was meant.
func (p *plan) askOfFormer(t *schema.Table, present *atlas.Table, name, former string) {
	var gone []string
	for _, c := range present.Columns {
		if column(t, c.Name) == nil {
			gone = append(gone, c.Name)
		}
	}
	advice := "remove annotation.RenamedFrom from the new field"
	if len(gone) > 0 {
		advice = fmt.Sprintf(`write annotation.RenamedFrom("%s")`, strings.Join(gone, `"), or RenamedFrom("`))
	}
	p.askFor(t.Name, name, "%s is to have what is in %s, and there is no %[2]s in the database: %s", name, former, advice)
}

// askOfName refuses a field that takes the name of another one together with the
// values of a third: its records would keep what the name stood for before, and lose
// what they are to have.
func (p *plan) askOfName(t *schema.Table, name, former string) {
	if column(t, former) == nil {
		p.askFor(t.Name, former, "%s is to have what is in %s, and there is a %[1]s in the database already, with values of its own: write two migrations, first one in which the field %[1]s is removed or has another name, then one in which %[2]s is called %[1]s; or, if the records keep what is in %[1]s, remove annotation.RenamedFrom(%[2]q)", name, former)
	}
}

// ident quotes a name.
func (p *plan) ident(name string) string {
	if p.db.Dialect() == dialect.Postgres {
		return `"` + name + `"`
	}
	return "`" + name + "`"
}
