package restgen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"entgo.io/ent/entc/gen"
)

// source is what stands in the files of the schemas and not in Ent's graph: the
// comment of a schema, and the bounds of its fields. The graph counts a field's
// validators, for a function cannot leave the process that loads the schemas.
type source struct {
	docs   map[string]string // of Task
	bounds map[string]bounds // of Task.name
}

// bounds are what a field's validators ask, as far as they are written as
// constants in the schema itself.
type bounds struct {
	Known     int // validators that are told here
	MinLength int64
	EntLength int64 // what Ent's own validators ask of it
	NotBlank  bool
	Pattern   string
	Min, Max  string   // numbers as they stand in JSON, or ""
	Matches   []string // patterns as Go writes them

	// There are further ones of the kind, whose limit is not known.
	VagueLength, VagueRange, VagueMatch bool
}

// readSource reads the files that the schemas of the graph come from.
func readSource(g *gen.Graph) source {
	s := source{map[string]string{}, map[string]bounds{}}
	for _, file := range parse(g, token.NewFileSet()) {
		s.read(file)
	}
	return s
}

// parse parses the folders that the schemas of the graph come from. What does
// not parse was refused before, when Ent loaded it.
func parse(g *gen.Graph, positions *token.FileSet) (parsed []*ast.File) {
	seen := map[string]bool{}
	for _, t := range g.Nodes {
		folder := filepath.Dir(t.Pos())
		if seen[folder] {
			continue
		}
		seen[folder] = true
		files, _ := filepath.Glob(filepath.Join(folder, "*.go")) // the only error is a bad pattern
		for _, name := range files {
			if file, err := parser.ParseFile(positions, name, nil, parser.ParseComments); err == nil {
				parsed = append(parsed, file)
			}
		}
	}
	return parsed
}

func (s source) read(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					s.docs[t.Name.Name] = sentence(d.Doc.Text() + t.Doc.Text())
				}
			}
		case *ast.FuncDecl:
			if d.Name.Name == "Fields" && d.Recv != nil && d.Body != nil {
				s.readFields(receiver(d.Recv.List[0].Type), d.Body)
			}
		}
	}
}

// sentence is a comment on one line, without its later paragraphs.
func sentence(doc string) string {
	first, _, _ := strings.Cut(doc, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

func receiver(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// readFields takes up each chain of calls such as field.Int("seats").Min(1).
func (s source) readFields(schema string, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		calls, ok := chain(call)
		if !ok {
			return true
		}
		if name, ok := constant(calls[0].Args[0]); ok {
			b := bounds{}
			for _, c := range calls[1:] {
				b.take(calls[0].Fun.(*ast.SelectorExpr).Sel.Name, c.Fun.(*ast.SelectorExpr).Sel.Name, c.Args)
			}
			s.bounds[schema+"."+name] = b
		}
		return false
	})
}

// chain returns the calls of a chain that begins with field.Kind(name, …), the
// first one first.
func chain(call *ast.CallExpr) ([]*ast.CallExpr, bool) {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	switch x := s.X.(type) {
	case *ast.CallExpr:
		calls, ok := chain(x)
		return append(calls, call), ok
	case *ast.Ident:
		return []*ast.CallExpr{call}, x.Name == "field" && len(call.Args) > 0
	}
	return nil, false
}

// constant returns a literal as it would stand in JSON, a string without its
// quotes; false for anything that has to be computed.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		s, ok := constant(e.X)
		return "-" + s, ok && e.Op == token.SUB
	case *ast.BasicLit:
		switch e.Kind {
		case token.STRING:
			s, err := strconv.Unquote(e.Value)
			return s, err == nil
		case token.INT:
			n, err := strconv.ParseInt(e.Value, 0, 64)
			return strconv.FormatInt(n, 10), err == nil
		case token.FLOAT:
			n, err := strconv.ParseFloat(e.Value, 64)
			return strconv.FormatFloat(n, 'f', -1, 64), err == nil
		}
	}
	return "", false
}
