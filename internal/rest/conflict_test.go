package rest_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/rest"
)

// A value that must differ and does not is the client's fault, not ours.
func TestUniqueViolationIsConflict(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		insert := func() error {
			_, err := db.SQL().ExecContext(t.Context(), `INSERT INTO workspaces (id, name, created_at) VALUES ('`+uuid.NewString()+`', 'same', '2026-01-01')`)
			return err
		}
		if err := insert(); err != nil {
			t.Fatal(err)
		}
		e := rest.AsError(insert())
		if e.Status != http.StatusConflict || e.Code != rest.CodeConflict {
			t.Errorf("got %d %s", e.Status, e.Code)
		}
	})
}

type withDefault struct{ level rest.Value[string] }

func (in *withDefault) Fields() []rest.Field {
	return []rest.Field{rest.Text("level", &in.level, 10).NotNull()}
}

// A field with a default may be left out, but is never null.
func TestNotNullField(t *testing.T) {
	t.Parallel()
	if _, err := rest.Decode([]byte(`{}`), &withDefault{}, true); err != nil {
		t.Errorf("left out: %v", err)
	}
	for _, create := range []bool{true, false} {
		if _, err := rest.Decode([]byte(`{"level":null}`), &withDefault{}, create); err == nil {
			t.Error("null was taken")
		}
	}
}
