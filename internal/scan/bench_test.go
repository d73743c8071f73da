package scan_test

import (
	"context"
	"errors"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"entgo.io/ent/schema/field"

	"records/internal/scan"
)

var columns = []string{"id", "workspace_id", "created_at", "updated_at", "name", "status", "priority", "due_date", "description", "project_id", "assignee_id"}

// What Reuse saves on a page of 50 records.
func BenchmarkTargets(b *testing.B) {
	for name, change := range map[string]func(*sqlgraph.QuerySpec){"each row": func(*sqlgraph.QuerySpec) {}, "reused": scan.Reuse} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				spec := &sqlgraph.QuerySpec{Node: &sqlgraph.NodeSpec{}, ScanValues: func(columns []string) ([]any, error) {
					values := make([]any, len(columns))
					for i := range values {
						values[i] = new(sql.NullString)
					}
					return values, nil
				}}
				change(spec)
				for range 50 {
					if _, err := spec.ScanValues(columns); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// refusing is a driver that a statement gets no further than.
type refusing struct{ dialect.Driver }

var errRefused = errors.New("refused")

func (refusing) Dialect() string                               { return dialect.Postgres }
func (refusing) Query(context.Context, string, any, any) error { return errRefused }

// What Whole saves on the text of a statement.
func BenchmarkColumns(b *testing.B) {
	for name, change := range map[string]func(*sqlgraph.QuerySpec){
		"each name": func(*sqlgraph.QuerySpec) {},
		"whole":     func(spec *sqlgraph.QuerySpec) { scan.Whole(spec, dialect.Postgres) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				spec := sqlgraph.NewQuerySpec("tasks", columns, sqlgraph.NewFieldSpec("id", field.TypeUUID))
				change(spec)
				if err := sqlgraph.QueryNodes(b.Context(), refusing{}, spec); !errors.Is(err, errRefused) {
					b.Fatal(err)
				}
			}
		})
	}
}
