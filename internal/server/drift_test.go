package server_test

import (
	"net/http"
	"testing"
	"time"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
)

// A count that is wrong ends a request that it would keep for ever, as a fault of ours.
func TestWrongCountEndsARequest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		client := s.NewClient(t)
		client.Do(http.MethodPost, "/tasks", map[string]any{"name": "one"})
		if _, err := db.SQL().ExecContext(t.Context(), "UPDATE record_counts SET n = n + 5"); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if r := client.Do(http.MethodGet, "/tasks?offset=3", nil); r.Status != http.StatusInternalServerError {
			t.Errorf("past what there is: %d", r.Status)
		}
		if took := time.Since(begun); took > 4*time.Second { // half of how long a request may take
			t.Errorf("it took %s", took)
		}
		if r := client.Do(http.MethodGet, "/tasks", nil); r.Status != http.StatusOK {
			t.Errorf("what there is: %d", r.Status)
		}
	})
}
