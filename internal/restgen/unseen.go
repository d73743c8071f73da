package restgen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"
)

// schemaTypes are the types in the folder of the schemas, and what is known of them.
type schemaTypes struct {
	types    []schemaType
	embedded map[string]bool // others are built on them
	made     map[string]bool // there are values of them, as of the mixins of schemas
	pointers map[string]bool // their methods have pointers for receivers
	mixins   map[string]bool // they are built on Ent's mixin
	policies map[string]bool // they have a policy
}

type schemaType struct {
	name, file string
	line       int
	embeds     []string
}

// unseen refuses types that were meant as schemas and that Ent passes over without a
// word. One that another type is built on is none of them.
func unseen(g *gen.Graph) error {
	seen := map[string]bool{}
	for _, t := range g.Nodes {
		seen[t.Name] = true
	}
	d := typesBeside(g)
	var faults []error
	for _, t := range d.types {
		if seen[t.name] || d.embedded[t.name] {
			continue
		}
		if why := d.whyUnseen(t); why != "" {
			faults = append(faults, fmt.Errorf("%s: %s is no schema to Ent, since %s, or remove it", place(fmt.Sprintf("%s:%d", t.file, t.line)), t.name, why))
		}
	}
	return errors.Join(faults...)
}

// policiesHidden refuses a type that has a policy and is built on one that has another: this
// would not be asked.
func policiesHidden(g *gen.Graph) error {
	d := typesBeside(g)
	var faults []error
	for _, t := range d.types {
		if i := slices.IndexFunc(t.embeds, func(e string) bool { return d.policies[e] }); i >= 0 && d.policies[t.name] {
			faults = append(faults, fmt.Errorf("%s: %s hides the policy of %s by its own: embed mixin.Schema in place of it, and put both into the Mixin of the schemas, %[3]s{} first",
				place(fmt.Sprintf("%s:%d", t.file, t.line)), t.name, t.embeds[i]))
		}
	}
	return errors.Join(faults...)
}

// whyUnseen says why Ent passes over a type, and what to do; "" if it is no schema.
func (d schemaTypes) whyUnseen(t schemaType) string {
	name, base := t.name, filepath.Base(t.file)
	switch inside, err := build.Default.MatchFile(filepath.Dir(t.file), base); {
	case !slices.Contains(t.embeds, "ent.Schema"):
		i := slices.IndexFunc(t.embeds, func(e string) bool { return d.mixins[e] })
		if i < 0 || d.mixins[name] && d.made[name] || !token.IsExported(name) {
			return ""
		}
		return fmt.Sprintf("it is built on the mixin %s: embed ent.Schema, and return %[1]s{} from its Mixin()", t.embeds[i])
	case !token.IsExported(name):
		return "its name begins with a lower-case letter: call it " + strings.ToUpper(name[:1]) + name[1:]
	case strings.HasSuffix(base, "_test.go"):
		return fmt.Sprintf("%s is a file of tests to Go: give the file another name", base)
	case err == nil && !inside:
		return fmt.Sprintf("Go leaves out %s on this system, by its name or a line //go:build: give the file another name", base)
	case d.pointers[name]:
		return fmt.Sprintf("its methods have pointers for receivers: write func (%s) in place of func (*%[1]s)", name)
	}
	return ""
}

// typesBeside reads the folders that the schemas of the graph come from.
func typesBeside(g *gen.Graph) schemaTypes {
	d := schemaTypes{embedded: map[string]bool{}, made: map[string]bool{}, pointers: map[string]bool{}, mixins: map[string]bool{}, policies: map[string]bool{}}
	positions := token.NewFileSet()
	for _, file := range parse(g, positions) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				p := positions.Position(n.Pos())
				d.types = append(d.types, schemaType{n.Name.Name, p.Filename, p.Line, embeddedIn(n)})
			case *ast.CompositeLit:
				if name, ok := n.Type.(*ast.Ident); ok {
					d.made[name.Name] = true
				}
			case *ast.FuncDecl:
				if n.Recv != nil {
					_, pointer := n.Recv.List[0].Type.(*ast.StarExpr)
					name := receiver(n.Recv.List[0].Type)
					d.pointers[name] = d.pointers[name] || pointer
					d.policies[name] = d.policies[name] || n.Name.Name == "Policy"
				}
			}
			return true
		})
	}
	for range d.types { // one may be built on another that comes later
		for _, t := range d.types {
			for _, e := range t.embeds {
				d.embedded[e] = true
				d.mixins[t.name] = d.mixins[t.name] || e == "mixin.Schema" || d.mixins[e]
			}
		}
	}
	return d
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
