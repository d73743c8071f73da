package docs

import (
	"os"
	"strings"
	"testing"

	entrest "records/ent/rest"
)

// Every resource and every field that a client may write stands in the reference.
func TestReferenceIsComplete(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("resources.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range entrest.Resources(nil) {
		_, section, ok := strings.Cut(string(text), "\n`/"+r.Spec().Plural+"`: ")
		if !ok {
			t.Errorf("%s are not in it", r.Spec().Plural)
			continue
		}
		section, _, _ = strings.Cut(section, "\n## ")
		for _, f := range r.Fields() {
			if !strings.Contains(section, "| `"+f.Name+"` | ") || f.Required != strings.Contains(line(section, f.Name), "required") {
				t.Errorf("%s.%s is not told as it is: %s", r.Spec().Plural, f.Name, line(section, f.Name))
			}
		}
	}
}

// line is the row of a field.
func line(section, field string) string {
	_, after, _ := strings.Cut(section, "| `"+field+"` |")
	row, _, _ := strings.Cut(after, "\n")
	return row
}
