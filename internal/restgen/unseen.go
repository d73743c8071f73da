package restgen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"
)

// unseen refuses types that were meant as schemas and that Ent passes over
// without a word, since their names begin with a lower-case letter. One that
// another type is built on is none of them.
func unseen(g *gen.Graph) error {
	positions := token.NewFileSet()
	var private []*ast.TypeSpec
	bases := map[string]bool{}
	for _, file := range parse(g, positions) {
		ast.Inspect(file, func(n ast.Node) bool {
			t, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			embedded := embeddedIn(t)
			for _, name := range embedded {
				bases[name] = true
			}
			if slices.Contains(embedded, "ent.Schema") && !t.Name.IsExported() {
				private = append(private, t)
			}
			return false
		})
	}
	var faults []error
	for _, t := range private {
		if name := t.Name.Name; !bases[name] {
			p := positions.Position(t.Pos())
			faults = append(faults, fmt.Errorf("%s: %s is no schema to Ent, since its name begins with a lower-case letter: call it %s, or remove it",
				place(fmt.Sprintf("%s:%d", p.Filename, p.Line)), name, strings.ToUpper(name[:1])+name[1:]))
		}
	}
	return errors.Join(faults...)
}

// embeddedIn names what a struct embeds, such as ent.Schema.
func embeddedIn(t *ast.TypeSpec) (names []string) {
	s, ok := t.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, f := range s.Fields.List {
		switch e := f.Type.(type) {
		case *ast.Ident:
			if f.Names == nil {
				names = append(names, e.Name)
			}
		case *ast.SelectorExpr:
			if x, ok := e.X.(*ast.Ident); ok && f.Names == nil {
				names = append(names, x.Name+"."+e.Sel.Name)
			}
		}
	}
	return names
}
