package restgen

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

// shadowed refuses resources whose package in ent/ has the name of a variable in
// the code that is written of them, which could not reach the package there: a
// schema Page, where a list takes its page.
func shadowed(resources []resource) error {
	tmpl, err := parsedTemplates()
	if err != nil {
		return err
	}
	var faults []error
	for _, r := range resources {
		var b bytes.Buffer
		if err := tmpl.ExecuteTemplate(&b, "resource.tmpl", r); err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), r.Folder+".go", b.Bytes(), 0)
		if err != nil {
			return fmt.Errorf("%s: what is written of %s does not parse: %w", r.Place, r.Type, err)
		}
		if variables(file)[r.Package] {
			faults = append(faults, fmt.Errorf("%s: %s collides with the variable %s of the code that is written of it: choose another name for the schema", r.Place, r.Type, r.Package))
		}
	}
	return errors.Join(faults...)
}

// variables are the names of all parameters and variables of functions.
func variables(file *ast.File) map[string]bool {
	names := map[string]bool{}
	take := func(expressions ...ast.Expr) {
		for _, e := range expressions {
			if name, ok := e.(*ast.Ident); ok {
				names[name.Name] = true
			}
		}
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				for _, name := range n.Names {
					take(name)
				}
			case *ast.ValueSpec:
				for _, name := range n.Names {
					take(name)
				}
			case *ast.AssignStmt:
				take(n.Lhs...)
			case *ast.RangeStmt:
				take(n.Key, n.Value)
			}
			return true
		})
	}
	return names
}
