package doctor

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"entgo.io/ent/dialect"

	"records/migrate"
)

// indexesAreThere looks whether the indexes of the migrations are there that only make
// reading fast. What a unique one keeps is looked at by its columns.
func indexesAreThere(ctx context.Context, c *contents) (faults []Fault, err error) {
	statements, err := migrate.Embedded.Statements(c.dialect)
	if err != nil {
		return nil, err
	}
	query := `SELECT name FROM sqlite_schema WHERE type = 'index'`
	if c.dialect == dialect.Postgres {
		query = `SELECT relname FROM pg_class JOIN pg_index ON indexrelid = oid WHERE relnamespace = quote_ident(current_schema())::regnamespace AND indisvalid`
	}
	have := map[string]bool{}
	err = eachRow(ctx, c.tx, query, func(row *sql.Rows) error {
		var name string
		err := row.Scan(&name)
		have[name] = true
		return err
	})
	if err != nil {
		return nil, err
	}
	want := writtenIndexes(statements)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !have[name] {
			faults = append(faults, Fault{
				Check:  "indexes",
				What:   fmt.Sprintf("The index %s of %s is missing, or not valid.", name, want[name].table),
				Why:    "What is found by it is looked for row by row, which takes longer with every row.",
				Remedy: fmt.Sprintf("Drop what is left of it, and make it again by the statement of the migrations that creates %s; on PostgreSQL with CREATE INDEX CONCURRENTLY, which lets others write.", name),
			})
		}
	}
	return faults, nil
}

var (
	createsIndex = regexp.MustCompile(`(?s)^CREATE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?` + quoted + ` ON ` + quoted + `(.*)`)
	namesIndex   = regexp.MustCompile(`^ALTER INDEX (?:IF EXISTS )?` + quoted + ` RENAME TO ` + quoted)
	dropsIndex   = regexp.MustCompile(`^DROP INDEX (?:CONCURRENTLY )?(?:IF EXISTS )?` + quoted)
	altersTable  = regexp.MustCompile(`^ALTER TABLE ` + quoted)
	dropsColumn  = regexp.MustCompile(` DROP COLUMN (?:IF EXISTS )?` + quoted)
	anyName      = regexp.MustCompile(`[\w\pL$-]+`)
)

// index is one that the migrations have made.
type index struct {
	table string
	names []string // those of its columns are among them
}

// writtenIndexes returns the indexes that the statements of the migrations leave
// behind. With a column PostgreSQL drops the indexes that it is in.
func writtenIndexes(statements []string) map[string]index {
	want := map[string]index{}
	for _, text := range statements {
		if m := createsIndex.FindStringSubmatch(text); m != nil {
			want[m[1]] = index{m[2], anyName.FindAllString(m[3], -1)}
		} else if m := dropsIndex.FindStringSubmatch(text); m != nil {
			delete(want, m[1])
		} else if m := namesIndex.FindStringSubmatch(text); m != nil {
			if i, ours := want[m[1]]; ours {
				delete(want, m[1])
				want[m[2]] = i
			}
		} else if m := dropsTable.FindStringSubmatch(text); m != nil {
			maps.DeleteFunc(want, func(_ string, i index) bool { return i.table == m[1] })
		} else if m := altersTable.FindStringSubmatch(text); m != nil {
			for _, column := range dropsColumn.FindAllStringSubmatch(text, -1) {
				maps.DeleteFunc(want, func(_ string, i index) bool { return i.table == m[1] && slices.Contains(i.names, column[1]) })
			}
		}
	}
	return want
}
