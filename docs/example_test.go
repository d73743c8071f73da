// Package docs holds the documents to what they say: the worked example of
// schema.md is run as it stands there, from its first block to its last.
package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"records/internal/sourcetest"
)

const example = "## A worked example"

// another name for what the example makes: whoever follows it has one already.
var another = strings.NewReplacer("Complaint", "Labcomplaint", "complaint", "labcomplaint")

// Go and diff blocks are written into a copy of the project, sh blocks are run in
// it, those that speak to the program or the API once for each database, and text
// and json blocks are what the block before them must answer.
func TestWorkedExample(t *testing.T) {
	t.Parallel()
	root := sourcetest.Copy(t)
	machines := []*machine{newMachine(t, root, "sqlite3"), newMachine(t, root, "postgres")}
	var answers []string
	for _, s := range steps(t, "schema.md", example) {
		s.lines, s.file = another.Replace(s.lines), another.Replace(s.file)
		switch s.kind {
		case "go", "diff":
			if err := s.write(root); err != nil {
				t.Fatalf("schema.md:%d: %v", s.line, err)
			}
		case "sh":
			answers = run(t, s, machines)
		case "text", "json":
			for _, got := range answers {
				if err := s.compare(got); err != nil {
					t.Fatalf("schema.md:%d: %v", s.line, err)
				}
			}
		default:
			t.Fatalf("schema.md:%d: a block of kind %q, of which the test knows nothing", s.line, s.kind)
		}
	}
}

// write makes or changes the file that the block names.
func (s step) write(root string) error {
	file := filepath.Join(root, filepath.FromSlash(s.file))
	if s.kind == "diff" {
		return change(file, s.lines)
	}
	return os.WriteFile(file, []byte(s.lines), 0o644)
}

// run runs a block: where it is about a database, on each of them.
func run(t *testing.T, s step, machines []*machine) (answers []string) {
	t.Helper()
	if !strings.Contains(s.lines, "./records ") && !strings.Contains(s.lines, "$API") {
		machines = machines[:1]
	}
	for _, m := range machines {
		out, err := m.run(s.lines)
		if err != nil {
			t.Fatalf("schema.md:%d, %s: %v\n%s", s.line, m.name, err, out)
		}
		answers = append(answers, out)
	}
	return answers
}
