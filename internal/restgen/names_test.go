package restgen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/entc/gen"
)

// carried are packages of whose names Ent makes others where a schema has them.
var carried = []string{"context", "dialect", "errors", "fmt", "scalar", "time", "uuid"}

// No schema may be called as what the code beside those of schemas declares or imports.
func TestDeclaredNamesAreRefused(t *testing.T) {
	t.Parallel()
	g := loadGraph(t, "../../ent/schema")
	one := *g.Nodes[0]
	for name := range declaredBeside(t, g) {
		if strings.ToLower(name) != name { // as a type
			one.Name = name
		} else {
			one.Name = strings.ToUpper(name[:1]) + name[1:]
		}
		if gen.ValidSchemaName(one.Name) == nil && !slices.Contains(carried, one.PackageDir()) && len(nameFaults(&one)) == 0 {
			t.Errorf("a schema may be called %s, which is in ent/ already", one.Name)
		}
	}
}

// declaredBeside are what the generated files that are no schema's declare, other than
// what they make of the schemas, and the packages that they import.
func declaredBeside(t *testing.T, g *gen.Graph) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	ofSchema := func(name string) bool {
		return slices.ContainsFunc(g.Nodes, func(n *gen.Type) bool { return strings.Contains(strings.ToLower(name), n.PackageDir()) })
	}
	for _, name := range []string{"client", "ent", "exact", "filter", "mutation", "tx"} {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "ent", name+".go"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			names[path.Base(strings.Trim(i.Path.Value, `"`))] = true
		}
		for name := range file.Scope.Objects {
			names[name] = true
			for _, prefix := range []string{"with", "new"} { // Ent has withTask for Task
				if rest, ok := strings.CutPrefix(name, prefix); ok && ast.IsExported(rest) {
					names[rest] = true
				}
			}
		}
	}
	for name := range names {
		if ofSchema(name) {
			delete(names, name)
		}
	}
	return names
}
