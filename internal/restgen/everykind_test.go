package restgen

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"records/internal/sourcetest"
)

// A resource with a field of every kind, dropped into a copy of the program as
// one file, is generated, migrated and served by both databases without another
// edit, and passes the suites that go over all resources and one of its own.
func TestEveryKindIsServed(t *testing.T) {
	t.Parallel()
	root := sourcetest.Copy(t)
	drop(t, "testdata/everykind/everykind.go.txt", root+"/ent/schema/everykind.go")
	drop(t, "testdata/everykind/everykind_test.go.txt", root+"/internal/server/everykind_test.go")
	runIn(t, root, "go", "generate", "./ent")
	runIn(t, root, "go", "run", "./migrate/generate", "-name", "every_kind")
	runIn(t, root, "go", "vet", "./ent/rest", "./internal/server")
	runIn(t, root, "go", "test", "-run", "EveryKind", "./internal/server")
	runIn(t, root, "go", "test", "-run", "Description", "./internal/restgen")
	runIn(t, root, "go", "test", "./internal/isolation", "./internal/prove", "./internal/described", "./internal/load", "./migrate/diff")
	if again := runIn(t, root, "go", "run", "./migrate/generate", "-name", "again"); strings.Contains(again, "wrote") {
		t.Errorf("a second migration is not empty: %s", again)
	}
}

func drop(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// runIn runs a command in a folder for at most ten minutes: a busy machine takes five for the longest.
func runIn(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.WaitDelay = folder, time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
