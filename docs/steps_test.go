package docs

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// step is one fenced block of the worked example.
type step struct {
	line  int
	kind  string // the fence's first word: go, diff, sh, text, json
	file  string // its second: where a go or diff block belongs
	lines string
}

// steps reads the fenced blocks under a heading, up to the next one of its rank.
func steps(t *testing.T, file, heading string) (all []step) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	inside, open := false, false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case open && line == "```":
			open = false
		case open:
			all[len(all)-1].lines += line + "\n"
		case strings.HasPrefix(line, "## "):
			inside = line == heading
		case inside && strings.HasPrefix(line, "```"):
			kind, path, _ := strings.Cut(strings.TrimPrefix(line, "```"), " ")
			all, open = append(all, step{line: i + 1, kind: kind, file: path}), true
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no block under %q", file, heading)
	}
	return all
}

// change applies a diff block, as one would by hand: what the file has of it is
// replaced. The block must stand in the file exactly once.
func change(file, diff string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var before, after strings.Builder
	for line := range strings.Lines(diff) {
		rest := line[1:]
		if line[0] != '+' {
			before.WriteString(rest)
		}
		if line[0] != '-' {
			after.WriteString(rest)
		}
	}
	if n := strings.Count(string(text), before.String()); n != 1 {
		return fmt.Errorf("what it changes stands in %s %d times:\n%s", file, n, before.String())
	}
	return os.WriteFile(file, []byte(strings.Replace(string(text), before.String(), after.String(), 1)), 0o644)
}
