package restgen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/template"

	"entgo.io/ent/entc/gen"
	"golang.org/x/tools/imports"
)

// write renders the HTTP layer into ent/rest, removes the file of a resource
// that is gone, and says what changed.
func write(g *gen.Graph, resources []resource, description []byte, say func(line string)) error {
	files := map[string][]byte{"openapi.json": description}
	tmpl, err := parsedTemplates()
	if err != nil {
		return err
	}
	for _, r := range resources {
		if files[r.Folder+".go"], err = render(tmpl, "resource.tmpl", r); err != nil {
			return err
		}
	}
	if files["resources.go"], err = render(tmpl, "resources.tmpl", resources); err != nil {
		return err
	}
	folder := filepath.Join(g.Target, "rest")
	before, err := os.ReadFile(filepath.Join(folder, "openapi.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines, err := changes(before, description, resources)
	if err != nil {
		return err
	}
	for _, line := range lines {
		say(line)
	}
	if err := replace(folder, files); err != nil {
		return err
	}
	return writeReference(filepath.Join(g.Target, "..", "docs"), resources)
}

func parsedTemplates() (*template.Template, error) {
	return template.New("").ParseFS(templates, "templates/resource.tmpl", "templates/resources.tmpl")
}

// writeReference writes the reference for people, where there are documents.
func writeReference(folder string, resources []resource) error {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.WriteFile(filepath.Join(folder, "resources.md"), referenceDoc(resources), 0o644)
}

// render executes a template and formats the Go source it gives; imports that
// the source does not use fall away.
func render(tmpl *template.Template, name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := tmpl.ExecuteTemplate(&b, name, data); err != nil {
		return nil, err
	}
	src, err := imports.Process(name+".go", b.Bytes(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s does not parse: %w\n%s", name, err, b.Bytes())
	}
	return src, nil
}

// replace makes folder hold exactly these files.
func replace(folder string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, keep := files[e.Name()]; !keep {
			if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
