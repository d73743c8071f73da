package docs

import (
	"os/exec"
	"strings"
	"testing"
)

// A migration is written of the generated code. Of what an edited schema has left
// behind, it would say that there is nothing to do.
func TestMigrationsAreOfTheSchemasAsTheyAre(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "make", "--dry-run", "--no-print-directory", "migration", "name=a")
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	before, _, found := strings.Cut(string(out), "./migrate/generate")
	if err != nil || !found || !strings.Contains(before, "generate ./ent/generate.go") {
		t.Errorf("make migration does not generate first: %v\n%s", err, out)
	}
}
