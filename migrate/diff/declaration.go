package diff

import (
	"errors"
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql/schema"

	"records/ent/migrate"
	entrest "records/ent/rest"
	_ "records/ent/runtime" // the schemas' validators
	"records/internal/rest"
	"records/migrate/counts"
)

// Declaration is what the schemas declare, as far as a database has to know.
// Columns go by "table.column".
type Declaration struct {
	Tables    []*schema.Table   // as Ent generates them, without composite keys
	Records   []string          // the tables whose rows belong to a workspace
	Sources   map[string]string // the schema's file, by table
	Kinds     map[string]string // what the columns of records hold
	Backfills map[string]any    // what old records get in a column, as Ent would store it
	Renames   map[string]string // what a column was called before
}

// Declared is what the schemas of the program declare.
func Declared() (Declaration, error) {
	d := Declaration{Tables: migrate.Tables, Sources: migrate.Sources, Kinds: migrate.Kinds, Renames: migrate.Renames, Backfills: map[string]any{}}
	fields := map[string]rest.Field{}
	var faults []error
	for _, r := range entrest.Resources(nil) {
		table := r.Spec().Table
		d.Records = append(d.Records, table)
		for _, f := range r.Fields() {
			fields[table+"."+f.Name] = f
			for _, fault := range valueFaults(f, migrate.Defaults[table+"."+f.Name]) {
				faults = append(faults, fmt.Errorf("%s: %w", d.Sources[table], fault))
			}
		}
	}
	for _, t := range d.Tables {
		for _, c := range t.Columns {
			name := t.Name + "." + c.Name
			cell, ok := migrate.Backfills[name]
			if !ok {
				continue
			}
			value, err := parse(fields[name], c, cell)
			if err != nil {
				faults = append(faults, fmt.Errorf("%s: annotation.Backfill(%q) of %s: %w", d.Sources[t.Name], cell, c.Name, err))
			}
			d.Backfills[name] = value
		}
	}
	return d, errors.Join(faults...)
}

// tables are the declared tables with the workspace in every key. Ent knows no
// composite keys: the primary key of a record is (workspace_id, id), and a
// reference is (workspace_id, x_id), so that the database itself refuses a
// reference to another workspace.
func (d Declaration) tables(dialectName string) ([]*schema.Table, error) {
	tables, err := schema.CopyTables(d.Tables)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		if slices.Contains(d.Records, t.Name) {
			if err := d.isolate(t, dialectName); err != nil {
				return nil, err
			}
			if err := d.rule(t, dialectName); err != nil {
				return nil, err
			}
		}
		if t.Name == counts.Table {
			keyCounts(t)
		}
	}
	fit(tables)
	return tables, nil
}

// source is the file that declares a table, or the table where none does.
func (d Declaration) source(table string) string {
	if file := d.Sources[table]; file != "" {
		return file
	}
	return table
}
