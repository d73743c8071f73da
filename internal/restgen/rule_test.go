package restgen

import (
	"fmt"
	"strings"
	"testing"

	"records/internal/condition"
)

// The examples of the description keep to the rules, which it tells in words.
func TestRulesInTheDescription(t *testing.T) {
	parsed, err := condition.Parse("status <> 'closed' OR note IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	r := resource{Name: "ticket", Plural: "tickets", Type: "Ticket", told: told{Plurals: "Tickets"}, Rules: []fieldRule{{"closed_with_note", parsed.String(), parsed}}, Fields: []fieldModel{
		{Name: "status", Kind: text, Required: true, Examples: []string{"open", "closed"}},
		{Name: "title", Kind: text, Nullable: true, Examples: []string{"a"}},
		{Name: "note", Kind: text, Nullable: true, Examples: []string{"done"}},
	}}
	if faults := r.ruleFaults(); faults != nil {
		t.Error(faults)
	}
	body, record := r.change()
	if got := fmt.Sprint(body, record); strings.Count(got, "{note done}") != 1 || strings.Count(got, "{status closed}") != 2 {
		t.Errorf("the update breaks the rule: %v", got)
	}
	r.Fields[0].Examples = []string{"closed"}
	if body, _, ok := r.smallest(); ok {
		t.Errorf("the smallest body breaks the rule: %v", body)
	}
	if body, _ := r.change(); len(body) != 0 {
		t.Errorf("an update that clears the note breaks the rule: %v", body)
	}
	for _, create := range []bool{true, false} {
		if about := inputSchema(r, create)["description"].(string); !strings.Contains(about, "closed_with_note (`status <> 'closed' OR note IS NOT NULL`)") {
			t.Error(about)
		}
	}
	if doc := string(referenceDoc([]resource{r})); !strings.Contains(doc, "closed_with_note (`status <> 'closed' OR note IS NOT NULL`)") {
		t.Error(doc)
	}
}
