package diff

import (
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
)

// references are the tables that each table refers to.
func references(s *atlas.Schema) map[string][]string {
	to := map[string][]string{}
	for _, t := range s.Tables {
		for _, fk := range t.ForeignKeys {
			to[t.Name] = append(to[t.Name], fk.RefTable.Name)
		}
	}
	return to
}

// lockParents locks, before references of a table are added or dropped, the tables that
// they are to, where there are any besides it, and all that these refer to. Whoever
// deletes a record locks its table first and then those that refer to it, in any order;
// whoever changes a reference locks both tables, and would wait for the one while
// somebody waits for the other. With the first lock nobody is between the two. Others
// read meanwhile, and write what refers to these tables. Those that are gone by then
// are left out.
func (p *plan) lockParents(table string, keys []*atlas.ForeignKey, gone ...string) []statement {
	if p.db.Dialect() != dialect.Postgres {
		return nil
	}
	var order []string
	seen := map[string]bool{table: true}
	for _, name := range gone {
		seen[name] = true
	}
	var visit func(string)
	visit = func(name string) {
		if seen[name] || !p.there[name] {
			return
		}
		seen[name] = true
		for _, parent := range slices.Sorted(slices.Values(p.refers[name])) {
			visit(parent)
		}
		order = append(order, p.ident(name))
	}
	for _, fk := range keys {
		visit(fk.RefTable.Name)
	}
	if len(order) == 0 || len(order) == 1 && !p.there[table] {
		return nil // one lock needs no order
	}
	s := newStatement("who deletes a record locks tables in this order too", "LOCK TABLE "+strings.Join(order, ", ")+" IN SHARE ROW EXCLUSIVE MODE")
	s.begins, s.alters = true, table
	return []statement{s}
}
