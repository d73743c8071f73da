package rest

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"records/internal/scalar"
)

// benchRecord is like a task: the generated encoders call the same functions in turn.
type benchRecord struct {
	id                            uuid.UUID
	name                          string
	status, priority, description *string
	project, assignee             *uuid.UUID
	due                           *scalar.Date
	created, updated              time.Time
}

func (r *benchRecord) append(b []byte) []byte {
	b = AppendUUID(append(b, `{"id":`...), r.id)
	b = AppendText(append(b, `,"name":`...), r.name)
	b = AppendNullable(append(b, `,"status":`...), r.status, AppendText)
	b = AppendNullable(append(b, `,"priority":`...), r.priority, AppendText)
	b = AppendNullable(append(b, `,"project_id":`...), r.project, AppendUUID)
	b = AppendNullable(append(b, `,"assignee_id":`...), r.assignee, AppendUUID)
	b = AppendNullable(append(b, `,"due_date":`...), r.due, AppendDate)
	b = AppendNullable(append(b, `,"description":`...), r.description, AppendText)
	return AppendTimestamps(b, r.created, r.updated)
}

func newBenchRecord(b *testing.B) *benchRecord {
	b.Helper()
	due, err := scalar.ParseDate("2026-12-01")
	if err != nil {
		b.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 9, 30, 0, 123e6, time.UTC)
	return &benchRecord{
		id: uuid.Must(uuid.NewV7()), name: "Send the revised offer",
		status: new("open"), priority: new("high"), assignee: new(uuid.Must(uuid.NewV7())), due: &due,
		description: new("They asked for a discount on the yearly plan, and for the terms in writing by the end of the week."),
		created:     at, updated: at,
	}
}

func BenchmarkEncodeRecord(b *testing.B) {
	b.ReportAllocs()
	r := newBenchRecord(b)
	for b.Loop() {
		r.append(nil)
	}
}

func BenchmarkEncodePageOf50(b *testing.B) {
	b.ReportAllocs()
	var records []*benchRecord
	for range 50 {
		records = append(records, newBenchRecord(b))
	}
	appendRecord := func(b []byte, r *benchRecord) []byte { return r.append(b) }
	for b.Loop() {
		appendList(nil, records, Page{Limit: 50}, 50, appendRecord, largeAnswer)
	}
}
