package restgen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"entgo.io/ent/entc/gen"
)

// hidden reports whether the API neither shows nor takes a field. Sensitive
// alone hides it; with WriteOnly it only keeps it out of what Ent prints.
func hidden(f *gen.Field) bool {
	a := fieldOf(f)
	return a.Hidden || f.Sensitive() && !a.WriteOnly
}

// shown reports whether the field stands in answers.
func shown(f *gen.Field) bool { return !hidden(f) && !fieldOf(f).WriteOnly }

func standsInUnique(t *gen.Type, f *gen.Field) bool {
	return slices.ContainsFunc(t.Indexes, func(i *gen.Index) bool { return i.Unique && slices.Contains(i.Columns, f.StorageKey()) })
}

// fieldFaults finds what a field promises and the API could not keep.
func fieldFaults(t *gen.Type) (faults []string) {
	for _, f := range t.Fields {
		if slices.Contains(serverSet, f.Name) {
			continue
		}
		if fault := fieldFault(t, f); fault != "" {
			faults = append(faults, fmt.Sprintf("%s.%s is %s", t.Name, f.Name, fault))
		}
	}
	return faults
}

func fieldFault(t *gen.Type, f *gen.Field) string {
	a := fieldOf(f)
	switch {
	case a.Hidden && a.WriteOnly:
		return "both Hidden and WriteOnly: remove one; Hidden is neither shown nor taken, WriteOnly is taken"
	case hidden(f) && !f.Optional && !f.Default:
		return "Hidden or Sensitive, so that no client can set it, and required: make it Optional().Nillable(), give it a Default, or let clients set it by annotation.WriteOnly()"
	case !shown(f) && standsInUnique(t, f):
		return "in a unique index and not shown, so that a conflict would tell its value: remove the index, or show the field"
	case f.IsDeprecated():
		return "Deprecated, which Ent leaves out of what it reads, so that the API would show it as unset: remove Deprecated()"
	case f.Nillable && !f.Optional && !hidden(f):
		return "Nillable without Optional, of which Ent makes a pointer that is never nil: add Optional(), or remove Nillable()"
	case f.UpdateDefault && !hidden(f):
		return "given an UpdateDefault, and an update leaves as it is what its body does not name: remove it"
	case inexact(f):
		return "given a Default of more than 53 bits, of which Ent would make another number in the database and the description: give a lesser one, or give it by a function"
	case f.IsJSON() && f.Validators > 1:
		return "a list with more than one Validate, of which Ent makes code that does not compile: make them one"
	}
	if name := unexported.FindStringSubmatch(f.Type.Ident); name != nil && hidden(f) {
		return fmt.Sprintf("of the type %s, which the generated code cannot name: begin its name with a capital letter", name[1])
	}
	if fault := columnFault(f); fault != "" {
		return fault
	}
	for _, e := range f.Enums {
		if strings.ContainsFunc(e.Value, noEnum) {
			return fmt.Sprintf("an enum with the value %q, which could not stand in Go as it is: use letters, digits, spaces and signs other than quotes and \\", e.Value)
		}
	}
	return ""
}

// inexact reports whether a whole number's default may be another one by now: Ent
// reads it as a double (IEEE 754), which keeps whole seconds, but not every number.
func inexact(f *gen.Field) bool {
	if !f.Default || f.DefaultFunc() || !f.Type.Type.Integer() || f.Type.Ident == "time.Duration" {
		return false
	}
	const exact = 1 << 53
	switch n := f.DefaultValue().(type) {
	case int64:
		return n >= exact || n <= -exact
	case uint64:
		return n >= exact
	}
	return false
}

// unexported finds a type in the name of one, such as schema.size in
// []schema.size, that its own package alone can name.
var unexported = regexp.MustCompile(`(?:^|[\[\]* ])(\w+\.[a-z_]\w*)`)

// noEnum finds what Ent, which writes the values of an enum between quotes as
// they are, would make other values or faulty code of.
func noEnum(r rune) bool { return strings.ContainsRune("\"\\`", r) || !unicode.IsPrint(r) }
