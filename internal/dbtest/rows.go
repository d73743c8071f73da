package dbtest

import (
	"fmt"
	"testing"

	"records/internal/database"
)

// Rows returns what a query by hand gives, each value as text.
func Rows(t testing.TB, db *database.DB, query string) [][]string {
	t.Helper()
	_, rows := Table(t, db, query)
	return rows
}

// Table returns the names of the columns of what a query by hand gives, and its
// rows, each value as text.
func Table(t testing.TB, db *database.DB, query string) (columns []string, all [][]string) {
	t.Helper()
	rows, err := db.SQL().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	if columns, err = rows.Columns(); err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, text := make([]any, len(columns)), make([]string, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if bytes, ok := (*v.(*any)).([]byte); ok {
				text[i] = string(bytes)
			} else {
				text[i] = fmt.Sprint(*v.(*any))
			}
		}
		all = append(all, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return columns, all
}
