package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the folder of go.mod.
const root = "../.."

// Each fault still applies to the source as it is, and is told of once.
func TestFaultsApply(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, f := range faults() {
		if names[f.name] || f.name == "" || f.opens == "" || len(f.edits) == 0 || len(f.by) == 0 {
			t.Errorf("%q is there twice, or is not whole", f.name)
		}
		names[f.name] = true
		copied := t.TempDir()
		for _, e := range f.edits {
			text, err := os.ReadFile(filepath.Join(root, e.file))
			if err != nil {
				t.Fatalf("%q: %v", f.name, err)
			}
			to := filepath.Join(copied, e.file)
			if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := apply(copied, f); err != nil {
			t.Error(err)
		}
	}
	if len(names) < 30 {
		t.Errorf("there are %d faults", len(names))
	}
}

// The tests that are named are there.
func TestNamedTestsAreThere(t *testing.T) {
	t.Parallel()
	for _, f := range faults() {
		if slices.Contains(f.by, prove) != (f.unseen == "") {
			t.Errorf("%q: the property suite catches it, or there is a reason why it does not", f.name)
		}
		for _, by := range f.by {
			if !defined(t, by) {
				t.Errorf("%q: there is no %s in %s", f.name, by.name, by.folder)
			}
		}
	}
}

func defined(t *testing.T, by test) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, by.folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`(?m)^func ` + by.name + `\(t \*testing\.T\)`).Match(text)
	})
}

// The page is what the list is.
func TestPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(root + "/docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != page(faults()) {
		t.Error("docs/faults.md is not what the list is: run `go run ./internal/faults -page`")
	}
}

// A fault that does not apply is said to be so, and nothing else is done.
func TestStaleFault(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(folder+"/a.go", []byte("one two two"), 0o600); err != nil {
		t.Fatal(err)
	}
	for old, n := range map[string]string{"three": "0 times", "two": "2 times"} {
		s := &source{folder: folder}
		r := s.plant(t.Context(), fault{name: "stale", edits: []edit{{"a.go", old, ""}}}, []test{prove})
		if r.err == nil || !strings.Contains(r.err.Error(), n) || len(r.outcomes) > 0 {
			t.Errorf("%s: %v, %v", old, r.err, r.outcomes)
		}
	}
}
