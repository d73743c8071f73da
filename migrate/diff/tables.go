// Package diff finds what the Ent schemas declare and the migrations do not
// give yet, and writes it as the next migration.
package diff

import (
	"fmt"
	"slices"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql/schema"

	"records/ent/rule"
)

// isolate puts the workspace into every key of a record's table.
func (d Declaration) isolate(t *schema.Table, dialectName string) error {
	workspace, id := column(t, rule.WorkspaceField), column(t, "id")
	if workspace == nil || id == nil {
		return fmt.Errorf("table %s has no %s or no id", t.Name, rule.WorkspaceField)
	}
	keyBy(t, workspace, id)
	for _, fk := range t.ForeignKeys {
		if !slices.Contains(d.Records, fk.RefTable.Name) {
			fk.OnDelete = schema.NoAction
			continue
		}
		reference := fk.Columns[0]
		fk.Columns = []*schema.Column{workspace, reference}
		fk.RefColumns = []*schema.Column{column(fk.RefTable, rule.WorkspaceField), column(fk.RefTable, "id")}
		fk.OnDelete = onDelete(dialectName)
		t.Indexes = append(t.Indexes, referenceIndex(t, workspace, reference))
	}
	return nil
}

// keyBy gives a table its primary key, and has it begin with it: one whose first
// column is not the first of its key, SQLite would rebuild with every diff.
func keyBy(t *schema.Table, key ...*schema.Column) {
	rest := slices.DeleteFunc(slices.Clone(t.Columns), func(c *schema.Column) bool { return slices.Contains(key, c) })
	t.PrimaryKey, t.Columns = key, slices.Concat(key, rest)
}

// onDelete says what happens to a reference when its target goes. PostgreSQL
// sets the one column to null (see setNull in format.go); SQLite would set the
// workspace to null too, so that a trigger does it there.
func onDelete(dialectName string) schema.ReferenceOption {
	if dialectName == dialect.Postgres {
		return schema.SetNull
	}
	return schema.NoAction
}

// referenceIndex lets a delete find what refers to the record. It leaves out
// the rows that refer to nothing.
func referenceIndex(t *schema.Table, workspace, reference *schema.Column) *schema.Index {
	return &schema.Index{
		Name:       t.Name + "_" + reference.Name,
		Columns:    []*schema.Column{workspace, reference},
		Annotation: &entsql.IndexAnnotation{Where: reference.Name + " IS NOT NULL"},
	}
}

func column(t *schema.Table, name string) *schema.Column {
	c, _ := t.Column(name)
	return c
}
