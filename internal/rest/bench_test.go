package rest_test

import (
	"testing"

	entrest "records/ent/rest"
	_ "records/ent/runtime" // the validators
	"records/internal/rest"
)

// What a create and an update send.
const (
	wholeTask = `{"name":"Send the revised offer","status":"open","priority":"high",` +
		`"assignee_id":"0190163d-8694-739b-aea5-966c26f8ad90","due_date":"2026-12-01",` +
		`"description":"They asked for a discount on the yearly plan, and for the terms in writing by the end of the week."}`
	someOfTask = `{"status":"done","priority":"low"}`
)

func BenchmarkDecode(b *testing.B) {
	for name, body := range map[string]string{"create": wholeTask, "update": someOfTask} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			raw := []byte(body)
			for b.Loop() {
				if _, err := rest.Decode(raw, new(entrest.TaskInput), name == "create"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
