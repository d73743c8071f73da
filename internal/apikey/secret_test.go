package apikey

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
)

// The token stands nowhere in the database, nor does any part of it beyond the
// prefix that tells keys apart.
func TestTokenIsNotStored(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		f := setUp(t, db)
		f.accepted(t)
		f.flush(t)
		all := dump(t, db)
		if !strings.Contains(all, f.key.Hash) || !strings.Contains(all, f.key.Prefix) {
			t.Fatal("the dump does not hold the key")
		}
		// Three characters more: one may be what the file has next to the prefix.
		if strings.Contains(all, f.token[:shownLength+3]) || strings.Contains(all, f.token[shownLength:shownLength+8]) {
			t.Error("the database holds more of the token than its prefix")
		}
	})
}

// dump returns all that a database holds, as text.
func dump(t *testing.T, db *database.DB) string {
	t.Helper()
	if db.Dialect() == dialect.SQLite {
		var all strings.Builder
		for _, suffix := range []string{"", "-wal"} {
			b, err := os.ReadFile(db.Path() + suffix)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(b)
		}
		return all.String()
	}
	var all strings.Builder
	for _, table := range texts(t, db, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'") {
		for _, row := range texts(t, db, `SELECT r::text FROM "`+table+`" r`) {
			fmt.Fprintln(&all, row)
		}
	}
	return all.String()
}

func texts(t *testing.T, db *database.DB, query string) []string {
	t.Helper()
	rows, err := db.SQL().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
