package diff

import "entgo.io/ent/dialect/sql/schema"

// Tables are those that the schemas of the program declare.
func Tables(dialect string) ([]*schema.Table, error) {
	d, err := Declared()
	if err != nil {
		return nil, err
	}
	return d.tables(dialect)
}

// TablesOf are the tables of a declaration.
func TablesOf(d Declaration, dialect string) ([]*schema.Table, error) { return d.tables(dialect) }
