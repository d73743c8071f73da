package apikey

import (
	"testing"

	"entgo.io/ent/dialect"

	"records/ent"
	"records/ent/rule"
	"records/internal/dbtest"
	"records/internal/viewer"
)

// A key whose answer is in the cache, as nearly every request has it.
func BenchmarkAuthenticate(b *testing.B) {
	db := dbtest.Open(b, dialect.SQLite)
	client := ent.NewClient(ent.Driver(db.Driver()))
	w, err := client.Workspace.Create().SetName("bench").Save(rule.AsOperator(b.Context()))
	if err != nil {
		b.Fatal(err)
	}
	_, token, err := Create(rule.AsOperator(b.Context()), client, Request{Workspace: w.ID, Name: "bench", Scope: viewer.Write})
	if err != nil {
		b.Fatal(err)
	}
	auth := NewAuthenticator(client)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := auth.Authenticate(b.Context(), token); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTokenCheck(b *testing.B) {
	token := newToken()
	b.ReportAllocs()
	for b.Loop() {
		if !WellFormed(token) || digestOf(token).stored() == "" {
			b.Fatal("a good token is refused")
		}
	}
}
