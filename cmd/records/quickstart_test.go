//go:build clients

package main_test

import (
	"html"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The quickstart's program in TypeScript compiles and runs as it is copied from the
// page of the program. Those in other languages are run by internal/developer.
func TestQuickstartInTypeScript(t *testing.T) {
	tools, err := filepath.Abs("../../tools/openapi/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	eachDatabase(t, func(t *testing.T, p *program) {
		key := p.key("quickstart", "write")
		s := p.serve()
		page := s.status(http.StatusOK, http.MethodGet, "/quickstart", "", "")
		match := regexp.MustCompile(`(?s)id="call\.ts">.*?<pre tabindex="0"><code>(.*?)</code>`).FindStringSubmatch(page)
		if match == nil {
			t.Fatalf("the page has no program in TypeScript:\n%s", page)
		}
		folder := t.TempDir()
		for name, text := range map[string]string{"call.ts": html.UnescapeString(match[1]), "package.json": `{"type": "module"}`} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		run := func(command ...string) string {
			cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
			cmd.Dir, cmd.Env = folder, append(os.Environ(), "WORKSPACE_KEY="+key.Token)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %v\n%s", command, err, out)
			}
			return string(out)
		}
		run(filepath.Join(tools, ".bin", "tsc"), "--strict", "--target", "ES2022", "--module", "NodeNext", "--typeRoots", filepath.Join(tools, "@types"), "--types", "node", "call.ts")
		if out := run("node", "call.js"); !strings.Contains(out, "1 tasks\nSend the revised offer high\n") {
			t.Errorf("it printed %q", out)
		}
		s.stop()
	})
}
