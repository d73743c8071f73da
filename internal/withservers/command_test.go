package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The command sees our environment and what is added to it, and its exit code is
// ours.
func TestRunCommand(t *testing.T) {
	t.Setenv("TEST_REDIS_URL", "before")
	seen := filepath.Join(t.TempDir(), "seen")
	for _, test := range []struct {
		script string
		code   int
	}{
		{`printf "$PWD $TEST_REDIS_URL" > ` + seen, 0},
		{"exit 7", 7},
		{"kill -TERM $$", 143},
	} {
		code, err := runCommand([]string{"/bin/sh", "-c", test.script}, append(os.Environ(), "TEST_REDIS_URL=after"))
		if code != test.code || err != nil {
			t.Errorf("%s: exit code %d, %v; want %d", test.script, code, err, test.code)
		}
	}
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(seen); string(got) != folder+" after" {
		t.Errorf("the command saw %q, %v", got, err)
	}
	if code, err := runCommand([]string{"/no/such/program"}, nil); code != notRun || err == nil {
		t.Errorf("no such program: exit code %d, %v", code, err)
	}
}
