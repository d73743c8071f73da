package load_test

import (
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/ent"
	"records/internal/dbtest"
	"records/internal/load"
)

// An import of as many records as make a run long enough to measure.
func BenchmarkImport(b *testing.B) {
	const n = 20_000
	var file strings.Builder
	file.WriteString("number,status,currency,amount,issue_date,due_date,paid_at,description\n")
	for i := range n {
		fmt.Fprintf(&file, "INV-%06d,open,EUR,%d.25,2026-10-01,2026-11-01,2026-10-28T01:30:00.5+02:00,Consulting in October\n", i, i)
	}
	for _, name := range []string{dialect.SQLite, dialect.Postgres} {
		b.Run(name, func(b *testing.B) {
			db := dbtest.Open(b, name)
			client := ent.NewClient(ent.Driver(db.Driver()))
			ctx := newWorkspace(b, client)
			b.ReportAllocs()
			for b.Loop() {
				if got, err := load.Import(ctx, client, "invoices", strings.NewReader(file.String()), load.CSV); got != n || err != nil {
					b.Fatal(got, err)
				}
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
