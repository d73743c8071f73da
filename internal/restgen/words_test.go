package restgen

import (
	"slices"
	"testing"
)

// Each kind of change is told in its own words, and no change in none.
func TestChanges(t *testing.T) {
	t.Parallel()
	task := resource{Name: "task", Plural: "tasks", told: told{Plurals: "Tasks"}, Type: "Task", Indexes: 1, Fields: []fieldModel{{Name: "name", Kind: text}, {Name: "phone", Kind: text}}}
	grown := task
	grown.Fields = []fieldModel{{Name: "name", Kind: text, MaxLength: 9}, {Name: "due", Kind: date}}
	ticket := resource{Name: "ticket", Plural: "tickets", told: told{Plurals: "Tickets"}, Type: "Ticket", Indexes: 2}
	closed := ticket
	closed.ReadOnly = true
	for name, c := range map[string]struct {
		before, after []resource
		want          []string
	}{
		"the first time": {nil, []resource{task}, []string{"tasks: new, with 5 endpoints, 1 table, 1 index; description: +5 operations"}},
		"no change":      {[]resource{task}, []resource{task}, nil},
		"fields":         {[]resource{task}, []resource{grown}, []string{"tasks: +due, name changed, -phone"}},
		"a new resource": {[]resource{task}, []resource{task, ticket}, []string{"tickets: new, with 5 endpoints, 1 table, 2 indexes; description: +5 operations"}},
		"read only":      {[]resource{ticket}, []resource{closed}, []string{"tickets: description: -3 operations"}},
		"gone":           {[]resource{task, ticket}, []resource{task}, []string{"tickets: gone; description: -5 operations"}},
	} {
		var before []byte
		if c.before != nil {
			before = described(t, c.before)
		}
		got, err := changes(before, described(t, c.after), c.after)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func described(t *testing.T, resources []resource) []byte {
	t.Helper()
	b, err := describe(resources)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
