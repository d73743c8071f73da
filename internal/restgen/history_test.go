package restgen

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
)

// What the annotations say of old records is handed on by table and column.
func TestHistory(t *testing.T) {
	got := fmt.Sprintf("%+q", historyOf(loadGraph(t, "./testdata/history")))
	want := `[{"help_desks" "ent/schema/schema.go" [{"title" "text"} {"severity" "text"} {"note" "text"}] [] [{"title" "untitled"} {"severity" "it's \"low\""}] [{"title" "subject"}]} ` +
		`{"workspaces" "ent/schema/schema.go" [] [] [] []}]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// It comes out as Go that compiles.
func TestHistoryIsWritten(t *testing.T) {
	folder := t.TempDir()
	var history []*gen.Template
	for _, tmpl := range Extension(nil).Templates() {
		if tmpl.Name() == "history" {
			history = append(history, tmpl)
		}
	}
	if err := entc.Generate("./testdata/history", &gen.Config{Target: folder, Package: "records/ent", Templates: history}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "migrate", "history.go"))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, "history.go", fmt.Errorf("%s", text), []string{
		"package migrate\n", `"help_desks": "ent/schema/schema.go",`, `"help_desks.note":     "text",`, `"help_desks.title":    "untitled",`,
		`"help_desks.severity": "it's \"low\"",`, `"help_desks.title": "subject",`,
	})
}

// Defaults that are known before the program runs are handed on as a body would
// say them; one in nanoseconds, as the duration that it is.
func TestDefaults(t *testing.T) {
	var got []past
	for _, h := range historyOf(loadGraph(t, "./testdata/kinds")) {
		got = append(got, h.Defaults...)
	}
	if want := `[{"flag" "false"} {"level" "\"low\""} {"length" "\"PT0S\""} {"origin" "\"api\""}]`; fmt.Sprintf("%q", got) != want {
		t.Errorf("got  %q\nwant %s", got, want)
	}
}
