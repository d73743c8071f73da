package restgen

import (
	"strings"
	"testing"
)

// Whatever a field says of itself stands in one row of a table, and as a client
// would write it.
func TestRowsOfTheReference(t *testing.T) {
	hour := bounds{Min: "3600000000000", Max: "7200000000000"}
	r := resource{Name: "ticket", Plural: "tickets", Type: "Ticket", Unique: [][]string{{"seats"}, {"side", "length"}}, Fields: []fieldModel{
		{Name: "note", Kind: text, Nullable: true, toldField: toldField{Comment: "One line\nand another | more."}},
		{Name: "side", Kind: kind{Name: "Enum"}, Enums: []enum{{Value: "left|right"}}},
		{Name: "length", Kind: duration, Nullable: true, toldField: toldField{Bounds: hour}},
		{Name: "seats", Kind: kind{Name: "Integer"}, Nullable: true, toldField: toldField{Default: 3}},
	}}
	doc := string(referenceDoc([]resource{r}))
	for _, want := range []string{
		"| `note` | text | One line and another \\| more |\n",
		"| `side` | `left\\|right` |  |\n",
		"| `length` | duration | at least PT1H; at most PT2H |\n",
		"| `seats` | whole number | default `3`, or `null` |\n",
		"\n\nNo two records of a workspace have the same `seats`, or the same `side` with the same `length`; null is the same as no other.\n",
	} {
		if !strings.Contains(doc, want) {
			t.Errorf("%q is missing in %s", want, doc)
		}
	}
}
