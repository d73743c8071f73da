package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var testName = regexp.MustCompile(`\bTest[A-Z][A-Za-z0-9]*`)

// Every test that the threat model names is there.
func TestNamedTestsExist(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]+)\(`).FindAllSubmatch(source, -1) {
			there[string(m[1])] = true
		}
		return err
	})
	if err != nil || len(there) < 100 {
		t.Fatal(len(there), err)
	}
	text, err := os.ReadFile("security.md")
	if err != nil {
		t.Fatal(err)
	}
	named := testName.FindAllString(string(text), -1)
	if len(named) < 50 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, name := range named {
		if !there[name] {
			t.Errorf("security.md names %s, which is not there", name)
		}
	}
}
