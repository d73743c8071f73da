package diff

import (
	"context"
	"fmt"

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
			former := p.declaration.Renames[t.Name+"."+c.Name]
			if _, done := present.Column(c.Name); done || former == "" {
				continue
			}
			if _, ok := present.Column(former); !ok {
				continue
			}
			p.words.say(t.Name, "%s renamed to %s", former, c.Name)
			p.first = append(p.first, newStatement(
				fmt.Sprintf("rename column %q of table %q", former, t.Name),
				fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO %s", p.ident(t.Name), p.ident(former), p.ident(c.Name))))
		}
	}
	return p.try(ctx, p.first)
}

// ident quotes a name.
func (p *plan) ident(name string) string {
	if p.db.Dialect() == dialect.Postgres {
		return `"` + name + `"`
	}
	return "`" + name + "`"
}
