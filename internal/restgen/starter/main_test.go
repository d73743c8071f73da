package main

import (
	"go/format"
	"os"
	"strings"
	"testing"
)

// The start is Go as gofmt writes it, is never written over another file, and
// only under a name that a schema can have. That it generates and serves, the
// worked example of docs/schema.md shows.
func TestStart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, err := write(folder, "LineItem")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if formatted, err := format.Source(text); err != nil || string(formatted) != string(text) {
		t.Errorf("it is not formatted: %v", err)
	}
	if !strings.Contains(string(text), "type LineItem struct{ ent.Schema }") || !strings.HasSuffix(path, "lineitem.go") {
		t.Errorf("%s: %s", path, text)
	}
	if _, err := write(folder, "LineItem"); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a second time: %v", err)
	}
	for _, name := range []string{"", "ticket", "Line_Item", "Line Item", "../Escape"} {
		if _, err := write(folder, name); err == nil {
			t.Errorf("%q is taken for a name", name)
		}
	}
}
