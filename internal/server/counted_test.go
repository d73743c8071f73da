package server_test

import (
	"fmt"
	"net/http"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
	"records/internal/servertest"
)

// On PostgreSQL a record that is created or deleted through the API counts itself: its
// count is right without the triggers, and with them.
func TestRecordsCountThemselves(t *testing.T) {
	t.Parallel()
	plain := func(t *testing.T) (db, served *database.DB) {
		db = dbtest.Open(t, dialect.Postgres)
		return db, db
	}
	for name, open := range map[string]func(t *testing.T) (db, served *database.DB){
		"all sessions": plain, "row-level security": func(t *testing.T) (db, served *database.DB) { return dbtest.Confined(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, served := open(t)
			c := servertest.Start(t, served).NewClient(t)
			for _, r := range resourcesToWrite() {
				for i, triggers := range []string{"DISABLE", "ENABLE"} {
					if _, err := db.SQL().ExecContext(t.Context(), fmt.Sprintf("ALTER TABLE %s %s TRIGGER USER", r.Spec().Table, triggers)); err != nil {
						t.Fatal(err)
					}
					path := "/" + r.Spec().Plural
					for n := range 3 {
						c.Create(r.Spec().Plural, load.Example(r, 10*i+n, nil))
					}
					for range 2 { // the second finds nothing
						id := c.Create(r.Spec().Plural, load.Example(r, 10*i+7, nil))
						c.Do(http.MethodDelete, path+"/"+id, nil)
						c.Do(http.MethodDelete, path+"/"+id, nil)
					}
					if got, want := c.Do(http.MethodGet, path, nil).JSON(t)["count"], fmt.Sprint(3*i+3); fmt.Sprint(got) != want {
						t.Errorf("%s, triggers %sD: %v are counted, want %s", path, triggers, got, want)
					}
				}
			}
		})
	}
}
