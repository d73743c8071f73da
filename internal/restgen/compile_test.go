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
