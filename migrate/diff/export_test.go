package diff

import "entgo.io/ent/dialect/sql/schema"

// TablesOf are the tables of a declaration.
func TablesOf(d Declaration, dialect string) ([]*schema.Table, error) { return d.tables(dialect) }

// KeyTriggers are those of the keys.
func KeyTriggers(dialect string) map[string]string { return keyTriggers(dialect) }
