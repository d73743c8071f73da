package restgen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/entc/gen"
)

// resource is one schema as the templates and the description see it.
type resource struct {
	Name     string // task
	Plural   string // tasks
	Type     string // Task
	Package  string // task, the generated package
	ReadOnly bool
	Fields   []fieldModel
	told
}

// Var is the name of the generated type that holds the resource's Ent calls.
func (r resource) Var() string { return gen.Funcs["camel"].(func(string) string)(r.Name) + "Calls" }

// References are the fields that name another record.
func (r resource) References() []fieldModel {
	return slices.DeleteFunc(slices.Clone(r.Fields), func(f fieldModel) bool { return f.Reference == nil })
}

// fieldModel is one field that a client may write.
type fieldModel struct {
	Name      string // due_date
	GoName    string // DueDate
	Kind      kind
	Required  bool
	Nullable  bool
	Immutable bool
	WriteOnly bool
	MaxLength int64
	Validator string // task.NameValidator, or ""
	Format    string
	Examples  []string
	Reference *reference
	Enums     []enum
	Set       string // SetDueDate
	Clear     string // ClearDueDate
	toldField
}

// Args are what the constructor of the field's kind takes beside name and place.
func (f fieldModel) Args() []string {
	var args []string
	if f.Kind == text {
		args = append(args, strconv.FormatInt(f.MaxLength, 10))
	}
	for _, e := range f.Enums {
		args = append(args, e.Constant)
	}
	if f.Validator != "" && f.Enums == nil {
		args = append(args, f.Validator)
	}
	return args
}

// enum is one value of an enum and the generated constant that holds it.
type enum struct{ Value, Constant string }

// reference is what a reference refers to.
type reference struct{ Name, Plural, Type string }

// model turns the graph into resources, in the order of their paths.
func model(g *gen.Graph) ([]resource, error) {
	var resources []resource
	source := readSource(g)
	for _, t := range g.Nodes {
		if a := resourceOf(t); a.Record {
			r := resource{Name: snake(t.Name), Plural: plural(t), Type: t.Name, Package: t.Package(), ReadOnly: a.ReadOnly}
			for _, f := range t.Fields {
				if slices.Contains(serverSet, f.Name) || f.Sensitive() {
					continue
				}
				m, err := modelField(t, f)
				if err != nil {
					return nil, err
				}
				m.toldField = source.tellField(t, f, m.Kind)
				r.Fields = append(r.Fields, m)
			}
			r.told = source.tell(t)
			resources = append(resources, r)
		}
	}
	slices.SortFunc(resources, func(a, b resource) int { return strings.Compare(a.Plural, b.Plural) })
	return resources, nil
}

func modelField(t *gen.Type, f *gen.Field) (fieldModel, error) {
	k, ok := kindOf(f)
	if !ok {
		return fieldModel{}, fmt.Errorf("ent/schema/%s.go: %s.%s has type %s, which has no wire type: use a string, bool, number, enum, UUID, time, scalar.Date or scalar.Decimal",
			strings.ToLower(t.Name), t.Name, f.Name, f.Type)
	}
	a := fieldOf(f)
	m := fieldModel{
		Name: f.Name, GoName: f.StructField(), Kind: k,
		Required: !f.Optional && !f.Default, Nullable: f.Optional,
		Format: max(k.Format, a.Format), Examples: a.Examples,
		Set: f.MutationSet(), Clear: f.MutationClear(),
	}
	if f.Optional && !f.Nillable {
		return m, fmt.Errorf("ent/schema/%s.go: %s.%s is Optional without Nillable, so that null could not be told from a value: add Nillable()",
			strings.ToLower(t.Name), t.Name, f.Name)
	}
	if k == text {
		m.MaxLength = maxLength(f)
	}
	for _, e := range f.Enums {
		m.Enums = append(m.Enums, enum{e.Value, t.Package() + "." + e.Name})
	}
	if f.Validators > 0 {
		m.Validator = t.Package() + "." + f.Validator()
	}
	if e, err := f.Edge(); err == nil && e != nil {
		m.Reference = &reference{Name: snake(e.Type.Name), Plural: plural(e.Type), Type: e.Type.Name}
	}
	if len(m.Examples) == 0 && m.Reference == nil {
		m.Examples = examples(m)
	}
	return m, nil
}

// maxLength is the field's MaxRuneLen, in Unicode characters; 0 is no limit
// but the body's.
func maxLength(f *gen.Field) int64 {
	if size := f.Column().Size; size > 0 {
		return size
	}
	return 0
}

func plural(t *gen.Type) string {
	if p := resourceOf(t).Plural; p != "" {
		return p
	}
	return t.Table()
}

// snake is the lower-case form of a Go name: LineItem becomes line_item.
func snake(name string) string { return gen.Funcs["snake"].(func(string) string)(name) }
