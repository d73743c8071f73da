package restgen

import (
	"strings"
	"testing"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"
)

// Ent's errors name the schema that has the edge before the one that it leads
// to, whichever comes first in the alphabet.
func TestBlamed(t *testing.T) {
	schemas := []*load.Schema{{Name: "Company"}, {Name: "Ticket"}, {Name: "TicketCompany"}}
	for message, want := range map[string]string{
		`set "Ticket" foreign-keys: mismatch field type between edge field "company_id" and id of type "Company" (string != uuid.UUID)`: "Ticket",
		`set "Company" foreign-keys: field "x_id" was not found in Company.Fields() for edge "x"`:                                       "Company",
		`resolve "TicketCompany" relations: edge "company" is missing for inverse edge: TicketCompany.ticket(Ticket)`:                   "TicketCompany",
		`create type Ticket: field "name" redeclared for type "Ticket"`:                                                                 "Ticket",
		`type "Deal" does not exist for edge`: "",
	} {
		got := ""
		if s := blamed(message, schemas); s != nil {
			got = s.Name
		}
		if got != want {
			t.Errorf("%s: %q is blamed, want %q", message, got, want)
		}
	}
}

// Ent repeats the whole schema where it cannot read a default.
func TestInfiniteDefaultIsExplained(t *testing.T) {
	_, err := entc.LoadGraph("./testdata/infinite", &gen.Config{Target: t.TempDir(), Package: "records/ent"})
	if err == nil {
		t.Fatal("it is read")
	}
	if got := Explain(err).Error(); !strings.Contains(got, "the field most of Ticket has a Default that is no finite number") || len(got) > 200 {
		t.Error(got)
	}
}

// Of these Ent's own words name no schema, another one, or no remedy.
func TestOtherWords(t *testing.T) {
	schemas := []*load.Schema{
		{Name: "APIKey", Pos: "schema/apikey.go:21"},
		{Name: "Ticket", Pos: "schema/ticket.go:14", Annotations: map[string]any{"EntSQL": map[string]any{"schema": "other"}}},
	}
	for message, want := range map[string]string{
		"create type Ticket: enum \"ä\" does not have a valid Go identifier (\"E\xef\xbf\xbd\xa4\")":        `ent/schema/ticket.go:14: Ticket has an enum with the value "ä", of which Ent makes no name in Go: give it one, as in NamedValues("Name", "ä")`,
		"storage driver init: missing schema annotation for APIKey":                                         "ent/schema/ticket.go:14: Ticket is given entsql.Schema, and all tables are in one: remove it",
		"format file /src/ent/ticket.go: /src/ent/ticket.go:86:41: illegal character NUL":                   "ent/schema/ticket.go:14: what Ent writes of Ticket does not parse (illegal character NUL): look for signs that Go does not take in a Comment or a StructTag",
		"format file /src/ent/ticket/where.go: /src/ent/ticket/where.go:8:1: expected":                      "ent/schema/ticket.go:14: what Ent writes of Ticket does not parse (expected)",
		"format file /src/ent/client.go: /src/ent/client.go:8:1: expected":                                  "",
		`set "Ticket" foreign-keys: edge "contact" was set as Optional, but edge-field "contact_id" is not`: "ent/schema/ticket.go:14: edge Ticket.contact has the field contact_id, which is required: deleting what it refers to must be able to set it to null; make it Optional().Nillable()",
		`create type Ticket: field "name" redeclared for type "Ticket"`:                                     "",
	} {
		if got := reworded(message, schemas); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: it reads %q, want %q", message, got, want)
		}
	}
}
