package developer_test

import (
	"bytes"
	"cmp"
	"context"
	"html"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// programs are those that the page shows, by file, as somebody copies them.
func programs(t *testing.T, s *servertest.Server) map[string]string {
	t.Helper()
	r := s.Browser(t).Get("/quickstart")
	if r.Status != http.StatusOK {
		t.Fatalf("the quickstart: %d\n%s", r.Status, r.Body)
	}
	found := map[string]string{}
	for _, match := range regexp.MustCompile(`(?s)<figure class="code" id="(.*?)">.*?<pre tabindex="0"><code>(.*?)</code></pre>`).FindAllStringSubmatch(string(r.Body), -1) {
		found[match[1]] = html.UnescapeString(match[2])
	}
	if body := string(r.Body); strings.Contains(body, "wrk_") || strings.Contains(body, ":8080") {
		t.Errorf("the page has a key in it, or the address of another server:\n%s", body)
	}
	return found
}

// run runs a program in a folder of its own, and returns what it printed.
func run(t *testing.T, folder, key string, command ...string) (out string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "WORKSPACE_KEY="+key, "GOFLAGS=", "NO_PROXY=*")
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	err = cmd.Run()
	return both.String(), err
}

// Each program of the page runs as it is copied, against the server that shows it; and
// says what is wrong where the key is.
func TestQuickstart(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		shown := programs(t, s)
		if len(shown) != 4 {
			t.Fatalf("%d programs", len(shown))
		}
		for file, command := range map[string][]string{
			"call.sh": {"sh", "call.sh"},
			"call.go": {"go", "run", "call.go"},
			"call.py": {cmp.Or(os.Getenv("TEST_PYTHON"), "python3"), "call.py"},
		} {
			t.Run(file, func(t *testing.T) {
				folder := t.TempDir()
				if err := os.WriteFile(filepath.Join(folder, file), []byte(shown[file]), 0o600); err != nil {
					t.Fatal(err)
				}
				w := s.Workspace(t)
				write, read := s.Key(t, w, viewer.Write), s.Key(t, w, viewer.Read)
				out, err := run(t, folder, write.Token, command...)
				if err != nil || !strings.Contains(out, "Send the revised offer") || !strings.Contains(out, "high") {
					t.Errorf("%v: %s", err, out)
				}
				if r := read.Do(http.MethodGet, "/tasks", nil).JSON(t); r["count"].(interface{ String() string }).String() != "1" {
					t.Errorf("it made %v tasks", r["count"])
				}
				if out, err := run(t, folder, read.Token, command...); !strings.Contains(out, "read_only_key") || (err == nil && file != "call.sh") {
					t.Errorf("with a key that may only read: %v: %s", err, out)
				}
			})
		}
	})
}
