package diff

import "entgo.io/ent/dialect/sql/schema"

// TablesOf are the tables of a declaration.
func TablesOf(d Declaration, dialect string) ([]*schema.Table, error) { return d.tables(dialect) }
