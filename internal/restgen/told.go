package restgen

import (
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"
)

// told is what only the description has to know of a resource.
type told struct {
	Plurals       string // SupportTickets: the plural as part of a name
	Doc           string // the first paragraph of the schema's comment
	Clashes       bool   // a create can clash with another record
	UpdateClashes bool   // an update can, too
}

// toldField is what only the description has to know of a field.
type toldField struct {
	Comment  string
	Bounds   bounds // what the validators ask beyond the length
	Further  bool   // there is a validator that the description cannot tell
	Default  any    // on create, where it is a constant; else nil
	Computed bool   // there is a default, and it is no constant
}

func (s source) tell(t *gen.Type) told {
	return told{
		Plurals: joined(plural(t)), Doc: s.docs[t.Name],
		Clashes:       slices.ContainsFunc(t.Indexes, func(i *gen.Index) bool { return i.Unique }),
		UpdateClashes: slices.ContainsFunc(t.Indexes, func(i *gen.Index) bool { return i.Unique && meets(t, i) }),
	}
}

// meets reports whether an update can give a record other values in an index, or
// take it into one that holds for some records only.
func meets(t *gen.Type, i *gen.Index) bool {
	return i.Annotations[entsql.IndexAnnotation{}.Name()] != nil || slices.ContainsFunc(t.Fields, func(f *gen.Field) bool {
		return !f.Immutable && slices.Contains(i.Columns, f.StorageKey())
	})
}

func (s source) tellField(t *gen.Type, f *gen.Field, k kind) toldField {
	b := s.bounds[t.Name+"."+f.Name]
	to := toldField{Comment: f.Comment(), Bounds: b, Further: f.Validators > b.Known && !f.IsEnum()}
	if plain := k == text || k == boolean || slices.Contains([]string{"Enum", "Integer", "Float"}, k.Name); plain && f.Default && !f.DefaultFunc() {
		to.Default = f.DefaultValue()
	}
	to.Computed = f.Default && to.Default == nil
	return to
}

// joined makes a plural part of a name: support-tickets becomes SupportTickets.
func joined(plural string) string {
	words := strings.FieldsFunc(plural, func(r rune) bool { return r == '-' || r == '_' })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}
