package diff

import (
	"fmt"
	"testing"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	entrest "records/ent/rest"
	"records/internal/rest"
)

// A value is read by the rules of its field; where the API does not show the
// field, by its column's type.
func TestParse(t *testing.T) {
	t.Parallel()
	fields := map[string]rest.Field{"none": {}}
	for _, r := range entrest.Resources(nil) {
		for _, f := range r.Fields() {
			fields[r.Spec().Table+"."+f.Name] = f
		}
	}
	for _, c := range []struct {
		field      string
		column     field.Type
		cell, want string
	}{
		{"tasks.name", field.TypeString, "Call", "Call"},
		{"tasks.name", field.TypeString, " ", "error: must not be blank"},
		{"tasks.name", field.TypeString, "", "error: must not be empty"},
		{"contacts.email", field.TypeString, "nobody", "error: must be an email address like name@example.com"},
		{"tasks.due_date", field.TypeOther, "2026-02-28", "2026-02-28"},
		{"tasks.due_date", field.TypeOther, "2026-02-30", "error: must be a date as YYYY-MM-DD"},
		{"deals.value", field.TypeOther, "1.50", "1.5"},
		{"deals.value", field.TypeOther, "much", "error: must be a number"},
		{"tasks.assignee_id", field.TypeUUID, "0190163D-8694-739b-aea5-966c26f8ad90", "0190163d-8694-739b-aea5-966c26f8ad90"},
		{"none", field.TypeString, "x", "x"},
		{"none", field.TypeEnum, "x", "x"},
		{"none", field.TypeInt16, "-5", "-5"},
		{"none", field.TypeInt16, "5.5", "error: must be a whole number"},
		{"none", field.TypeFloat32, "1.5", "1.5"},
		{"none", field.TypeBool, "true", "true"},
		{"none", field.TypeTime, "2026-01-31T10:30:00+01:00", "2026-01-31 09:30:00 +0000 UTC"},
		{"none", field.TypeUUID, "x", "error: must be a UUID"},
		{"none", field.TypeJSON, `{"a":1}`, "[123 34 97 34 58 49 125]"},
		{"none", field.TypeJSON, "{", "error: must be JSON"},
		{"none", field.TypeBytes, "x", "error: a column of type []byte cannot be filled"},
	} {
		value, err := parse(fields[c.field], &schema.Column{Type: c.column}, c.cell)
		got := fmt.Sprint(value)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s %q: %s, want %s", c.field, c.column, c.cell, got, c.want)
		}
	}
}
