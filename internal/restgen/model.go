package restgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"

	"records/ent/rule"
)

// resource is one schema as the templates and the description see it.
type resource struct {
	Place    string // ent/schema/task.go:14
	Name     string // task
	Plural   string // tasks
	Type     string // Task
	Mutation string // TaskMutation; Ent makes HTTPMutation of Http
	Builder  string // TaskCreate
	Package  string // task, the name of the generated package in its imports
	Folder   string // task, its folder
	ReadOnly bool
	Fields   []fieldModel
	Indexes  int        // of its table, beside the primary key's
	Unique   [][]string // the fields of each unique index, beside the workspace
	Rules    []fieldRule
	told
}

// Var is the name of the generated type that holds the resource's Ent calls.
func (r resource) Var() string { return gen.Funcs["camel"].(func(string) string)(r.Name) + "Calls" }

// Shown are the fields that stand in a record.
func (r resource) Shown() []fieldModel {
	return slices.DeleteFunc(slices.Clone(r.Fields), func(f fieldModel) bool { return f.WriteOnly })
}

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

// Limits are the limits of Ent's own validators as a client is told them.
func (f fieldModel) Limits() (all []limit) {
	b := f.Bounds
	if words := f.length(); words != "" && !b.VagueLength {
		all = append(all, limit{"TooShort", words})
	}
	if words := f.span(); words != "" && !b.VagueRange {
		all = append(all, limit{"OutOfRange", words})
	}
	if len(b.Matches) == 1 && !b.VagueMatch {
		all = append(all, limit{"Mismatch", "must match the pattern " + b.Matches[0]})
	}
	return all
}

// Pointer is an expression of what the record r holds, a pointer that is nil
// for null. Ent reads null into most kinds as a nil pointer, into a list or an
// object as a nil one.
func (f fieldModel) Pointer() string {
	switch {
	case !f.Nullable:
		return "&r." + f.GoName
	case f.Kind.byValue():
		return "rest.Present(r." + f.GoName + ")"
	default:
		return "r." + f.GoName
	}
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
			r := resource{
				Place: place(t.Pos()), Name: snake(t.Name), Plural: plural(t), Type: t.Name, Mutation: t.MutationName(), Builder: t.CreateName(), Package: t.Package(), Folder: t.PackageDir(),
				ReadOnly: a.ReadOnly, Indexes: len(t.Indexes), Unique: unique(t), told: source.tell(t),
			}
			r.Rules, _ = rulesOf(t) // what is wrong with them was told before
			for _, f := range t.Fields {
				if slices.Contains(serverSet, f.Name) || hidden(f) {
					continue
				}
				m, err := modelField(t, f, source)
				if err != nil {
					return nil, err
				}
				r.Fields = append(r.Fields, m)
			}
			r.Indexes += len(r.References())
			if faults := r.ruleFaults(); faults != nil {
				return nil, at(t, strings.Join(faults, "; "))
			}
			resources = append(resources, r)
		}
	}
	slices.SortFunc(resources, func(a, b resource) int { return strings.Compare(a.Plural, b.Plural) })
	return resources, nil
}

func modelField(t *gen.Type, f *gen.Field, source source) (fieldModel, error) {
	k, ok := kindOf(f)
	if !ok {
		return fieldModel{}, at(t, fmt.Sprintf("%s.%s has type %s, which has no wire type: use a string, bool, number, enum, UUID, time, scalar.Date, scalar.Decimal, field.Int64(…).GoType(time.Duration(0)), field.JSON(…, map[string]any{}), field.Strings, field.Ints or field.Floats, or keep it from the API by annotation.Hidden()",
			t.Name, f.Name, f.Type))
	}
	a := fieldOf(f)
	m := fieldModel{
		Name: f.Name, GoName: f.StructField(), Kind: k,
		Required: !f.Optional && !f.Default, Nullable: f.Optional, Immutable: f.Immutable, WriteOnly: a.WriteOnly,
		Format: max(k.Format, a.Format), Examples: a.Examples,
		Set: f.MutationSet(), Clear: f.MutationClear(), toldField: source.tellField(t, f, k),
	}
	if f.Optional && !f.Nillable && !k.byValue() {
		return m, at(t, fmt.Sprintf("%s.%s is Optional without Nillable, so that null could not be told from a value: add Nillable()",
			t.Name, f.Name))
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
	for _, e := range m.Examples {
		if k.JSON != "string" && !json.Valid([]byte(e)) {
			return m, at(t, fmt.Sprintf("%s.%s has the example %q, which is no JSON %s: write it as it would stand in a body",
				t.Name, f.Name, e, k.JSON))
		}
	}
	return m, nil
}

// unique lists the fields of each unique index. One that holds for some rows
// only is left out: its condition is SQL.
func unique(t *gen.Type) (all [][]string) {
	for _, i := range t.Indexes {
		if i.Unique && (i.Annotations[entsql.IndexAnnotation{}.Name()] == nil) {
			all = append(all, slices.DeleteFunc(slices.Clone(i.Columns), func(c string) bool { return c == rule.WorkspaceField }))
		}
	}
	return all
}

// maxLength is the field's MaxRuneLen, in Unicode characters; 0 is no limit
// but the body's.
func maxLength(f *gen.Field) int64 {
	if size := f.Column().Size; size > 0 {
		return size
	}
	return 0
}

// plural is the resource's path. Ent's own plural would cut an acronym in two.
func plural(t *gen.Type) string {
	if p := resourceOf(t).Plural; p != "" {
		return p
	}
	return strings.TrimSuffix(gen.Funcs["plural"].(func(string) string)(snake(t.Name)), "Slice")
}

// snake is the lower-case form of a Go name: LineItem becomes line_item.
func snake(name string) string { return gen.Funcs["snake"].(func(string) string)(name) }
