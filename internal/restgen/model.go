package restgen

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"
)

// resource is one schema as the templates and the description see it.
type resource struct {
	Name     string // task
	Plural   string // tasks
	Type     string // Task
	Package  string // task, the generated package
	Doc      string // the schema's comment, if any
	ReadOnly bool
	Fields   []fieldModel
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
	MaxLength int64
	Validator string // task.NameValidator, or ""
	Format    string
	Examples  []string
	Reference *reference
	Set       string // SetDueDate
	Clear     string // ClearDueDate
}

// reference is what a reference refers to.
type reference struct{ Name, Plural, Type string }

// kind is how a field crosses the wire.
type kind struct {
	Name   string // Text: the constructor rest.Text and the encoder rest.AppendText
	GoType string
	JSON   string // the JSON type in the description
	Format string // the OpenAPI format
}

var (
	text      = kind{"Text", "string", "string", ""}
	uuidKind  = kind{"UUID", "uuid.UUID", "string", "uuid"}
	date      = kind{"Date", "scalar.Date", "string", "date"}
	timestamp = kind{"Timestamp", "time.Time", "string", "date-time"}
	decimal   = kind{"Decimal", "scalar.Decimal", "number", ""}
)

func kindOf(f *gen.Field) (kind, bool) {
	switch {
	case f.Type.Ident == "scalar.Date":
		return date, true
	case f.Type.Ident == "scalar.Decimal":
		return decimal, true
	case f.Type.Ident == "uuid.UUID":
		return uuidKind, true
	case f.HasGoType():
		return kind{}, false
	case f.Type.Type == field.TypeString:
		return text, true
	case f.Type.Type == field.TypeTime:
		return timestamp, true
	}
	return kind{}, false
}

// model turns the graph into resources, in the order of their paths.
func model(g *gen.Graph) ([]resource, error) {
	var resources []resource
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
				r.Fields = append(r.Fields, m)
			}
			resources = append(resources, r)
		}
	}
	slices.SortFunc(resources, func(a, b resource) int { return strings.Compare(a.Plural, b.Plural) })
	return resources, nil
}

func modelField(t *gen.Type, f *gen.Field) (fieldModel, error) {
	k, ok := kindOf(f)
	if !ok {
		return fieldModel{}, fmt.Errorf("ent/schema/%s.go: %s.%s has type %s, which has no wire type: use a string, a UUID, a time, scalar.Date or scalar.Decimal",
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
	if f.Validators > 0 {
		m.Validator = t.Package() + "." + f.Validator()
	}
	if e, err := f.Edge(); err == nil && e != nil {
		m.Reference = &reference{Name: snake(e.Type.Name), Plural: plural(e.Type), Type: e.Type.Name}
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
