// Package restgen is the Ent extension that turns schemas into the HTTP layer:
// for each resource a file of wire types and Ent calls in ent/rest, and the
// API description. What does not vary by schema is ordinary Go in
// internal/rest. Only ent/entc.go imports it.
package restgen

import (
	"embed"
	"errors"
	"text/template"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
)

//go:embed templates/*.tmpl
var templates embed.FS

type extension struct {
	entc.DefaultExtension
	say func(line string)
}

// Extension returns the extension for entc.Generate. It says in words what
// changed, line by line.
func Extension(say func(line string)) entc.Extension { return extension{say: say} }

// Templates adds to the client what ent/rule, internal/rest and migrate/diff
// need of it, and replaces what would leak.
func (extension) Templates() []*gen.Template {
	return []*gen.Template{
		gen.MustParse(gen.NewTemplate("exact").ParseFS(templates, "templates/exact.tmpl")),
		gen.MustParse(gen.NewTemplate("filter").ParseFS(templates, "templates/filter.tmpl")),
		gen.MustParse(gen.NewTemplate("neighbour").ParseFS(templates, "templates/neighbour.tmpl")),
		gen.MustParse(gen.NewTemplate("order").ParseFS(templates, "templates/order.tmpl")),
		gen.MustParse(gen.NewTemplate("returning").ParseFS(templates, "templates/returning.tmpl")),
		gen.MustParse(gen.NewTemplate("null").ParseFS(templates, "templates/null.tmpl")),
		gen.MustParse(gen.NewTemplate("targets").ParseFS(templates, "templates/targets.tmpl")),
		gen.MustParse(gen.NewTemplate("history").Funcs(template.FuncMap{"history": historyOf}).ParseFS(templates, "templates/history.tmpl")),
	}
}

// Hooks refuse an unsafe graph before anything is written, and write the HTTP
// layer after Ent has written the client.
func (e extension) Hooks() []gen.Hook {
	return []gen.Hook{func(next gen.Generator) gen.Generator {
		return gen.GenerateFunc(func(g *gen.Graph) error {
			manyToOne(g)
			if err := errors.Join(check(g), unseen(g), policiesHidden(g)); err != nil {
				return err
			}
			resources, err := model(g)
			if err != nil {
				return err
			}
			if err := shadowed(resources); err != nil {
				return err
			}
			description, err := describe(resources)
			if err != nil {
				return err
			}
			if err := next.Generate(g); err != nil {
				return err
			}
			return write(g, resources, description, e.say)
		})
	}}
}
