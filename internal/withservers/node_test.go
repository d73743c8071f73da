package main

import (
	"errors"
	"testing"
)

func TestNodeVersions(t *testing.T) {
	for line, want := range map[string]bool{
		"v18.20.4\n": true, "v18.18.0\n": true, "v20.0.0\n": true, "v22.12.0-rc.1\n": true,
		"v18.17.1\n": false, "v16.20.2\n": false, "": false, "18.20.4\n": false, "node: command not found\n": false,
	} {
		if got := newEnough(line); got != want {
			t.Errorf("%q is new enough: %t", line, got)
		}
	}
}

// Where Node.js cannot be installed, a person is told what is wanted; there is no
// variable to set instead.
func TestWithoutNode(t *testing.T) {
	chosen, err := choose("node", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	const want = "install Node.js 18.18 or later with npm (there is no apt-get)"
	if got := howTo(chosen, errors.New("there is no apt-get")).Error(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
