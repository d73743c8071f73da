package developer

import (
	"embed"
	"path"
	"strings"

	"github.com/gin-gonic/gin"
)

// The programs of the quickstart, as they are; a test runs each as the page shows it.
//
//go:embed quickstart
var programs embed.FS

// writtenFor is the address in the programs, in whose place comes our own.
const writtenFor = "http://127.0.0.1:8080"

// program is one of the quickstart, with what else a reader needs for it.
type program struct {
	Language, File, Run string
	Text                string
}

// quickstart answers GET /quickstart: first calls of the API in several languages, to
// copy. The key is read from the environment, and stands in none of them. The page is
// public, as the API's description is.
func (a *Area) quickstart(*gin.Context) (answer, error) {
	all := []program{
		{Language: "curl", File: "call.sh", Run: "sh call.sh"},
		{Language: "Go", File: "call.go", Run: "go run call.go"},
		{Language: "TypeScript", File: "call.ts", Run: "node call.ts"},
		{Language: "Python", File: "call.py", Run: "python3 call.py"},
	}
	for i, p := range all {
		text, err := programs.ReadFile(path.Join("quickstart", p.File))
		if err != nil {
			return nil, err
		}
		shown := strings.TrimPrefix(string(text), "//go:build ignore\n\n") // which keeps it out of our own program
		all[i].Text = strings.TrimSpace(strings.ReplaceAll(shown, writtenFor, a.URL))
	}
	return page{name: "quickstart", title: "Quickstart", data: all}, nil
}
