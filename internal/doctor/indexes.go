package doctor

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/dialect"

	"records/migrate"
)

// indexesAreThere looks whether the indexes of the migrations are there that only make
// reading fast, over the columns that they were made over. What a unique one keeps is looked at by its columns.
func indexesAreThere(ctx context.Context, c *contents) (faults []Fault, err error) {
	statements, err := migrate.Embedded.Statements(c.dialect)
	if err != nil {
		return nil, err
	}
	query := `SELECT m.name, coalesce((SELECT group_concat(c.name) FROM pragma_index_info(m.name) c), '') FROM sqlite_schema m WHERE m.type = 'index'`
	if c.dialect == dialect.Postgres {
		query = `SELECT relname, coalesce((SELECT string_agg(attname, ',' ORDER BY n) FROM unnest(indkey::int2[]) WITH ORDINALITY AS key(number, n)
				JOIN pg_attribute ON attrelid = indrelid AND attnum = number WHERE n <= indnkeyatts), '')
			FROM pg_class JOIN pg_index ON indexrelid = oid WHERE relnamespace = quote_ident(current_schema())::regnamespace AND indisvalid`
	}
	have := map[string][]string{}
	err = eachRow(ctx, c.tx, query, func(row *sql.Rows) error {
		var name, columns string
		err := row.Scan(&name, &columns)
		have[name] = strings.Split(columns, ",")
		return err
	})
	if err != nil {
		return nil, err
	}
	want := writtenIndexes(statements)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if state := want[name].kept(have[name]); state != "" {
			faults = append(faults, Fault{
				Check:  "indexes",
				What:   fmt.Sprintf("The index %s of %s %s.", name, want[name].table, state),
				Why:    "What is found by it is looked for row by row, which takes longer with every row.",
				Remedy: fmt.Sprintf("Drop what is left of it, and make it again by the statement of the migrations that creates %s; on PostgreSQL with CREATE INDEX CONCURRENTLY, which lets others write.", name),
			})
		}
	}
	return faults, nil
}

// kept returns why an index over some columns is not this one, "" if it is.
func (i index) kept(over []string) string {
	switch {
	case over == nil:
		return "is missing, or not valid"
	case i.columns == nil || slices.Equal(over, i.columns):
		return ""
	case over[0] == "":
		return "is over expressions, and not over " + strings.Join(i.columns, ", ")
	}
	return fmt.Sprintf("is over %s, and not over %s", strings.Join(over, ", "), strings.Join(i.columns, ", "))
}

var (
	createsIndex = regexp.MustCompile(`(?s)^CREATE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?` + quoted + ` ON ` + quoted + `(.*)`)
	namesIndex   = regexp.MustCompile(`^ALTER INDEX (?:IF EXISTS )?` + quoted + ` RENAME TO ` + quoted)
	dropsIndex   = regexp.MustCompile(`^DROP INDEX (?:CONCURRENTLY )?(?:IF EXISTS )?` + quoted)
	namesColumn  = regexp.MustCompile(`^ALTER TABLE ` + quoted + ` RENAME COLUMN ` + quoted + ` TO ` + quoted)
	altersTable  = regexp.MustCompile(`^ALTER TABLE ` + quoted)
	dropsColumn  = regexp.MustCompile(` DROP COLUMN (?:IF EXISTS )?` + quoted)
	anyName      = regexp.MustCompile(`[\w\pL$-]+`)
	plainColumns = regexp.MustCompile(`^[^()]*\(([^()]*)\)`)
)

// index is one that the migrations have made.
type index struct {
	table   string
	names   []string // those of its columns are among them
	columns []string // nil where expressions are among them
}

// indexOn reads what stands behind the table's name.
func indexOn(table, rest string) index {
	i := index{table: table, names: anyName.FindAllString(rest, -1)}
	if m := plainColumns.FindStringSubmatch(rest); m != nil {
		for _, column := range strings.Split(m[1], ",") {
			i.columns = append(i.columns, anyName.FindString(column))
		}
	}
	return i
}

// rename gives a column another name.
func (i index) rename(from, to string) {
	for _, names := range [][]string{i.names, i.columns} {
		for n, name := range names {
			if name == from {
				names[n] = to
			}
		}
	}
}

// writtenIndexes returns the indexes that the statements of the migrations leave
// behind. With a column PostgreSQL drops the indexes that it is in.
func writtenIndexes(statements []string) map[string]index {
	want := map[string]index{}
	for _, text := range statements {
		if m := createsIndex.FindStringSubmatch(text); m != nil {
			want[m[1]] = indexOn(m[2], m[3])
		} else if m := dropsIndex.FindStringSubmatch(text); m != nil {
			delete(want, m[1])
		} else if m := namesIndex.FindStringSubmatch(text); m != nil {
			if i, ours := want[m[1]]; ours {
				delete(want, m[1])
				want[m[2]] = i
			}
		} else if m := dropsTable.FindStringSubmatch(text); m != nil {
			maps.DeleteFunc(want, func(_ string, i index) bool { return i.table == m[1] })
		} else if m := namesColumn.FindStringSubmatch(text); m != nil {
			for _, i := range want {
				if i.table == m[1] {
					i.rename(m[2], m[3])
				}
			}
		} else if m := altersTable.FindStringSubmatch(text); m != nil {
			for _, column := range dropsColumn.FindAllStringSubmatch(text, -1) {
				maps.DeleteFunc(want, func(_ string, i index) bool { return i.table == m[1] && slices.Contains(i.names, column[1]) })
			}
		}
	}
	return want
}
