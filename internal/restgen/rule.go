package restgen

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"records/internal/condition"
)

// fieldRule is a rule over several fields: a named check of the table.
type fieldRule struct {
	Name, Text string
	parsed     condition.Rule
}

var ruleName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

// rulesOf are the rules of a schema, in the order of their names, and what is wrong
// with them.
func rulesOf(t *gen.Type) (rules []fieldRule, faults []string) {
	a := t.EntSQL()
	if a == nil {
		return nil, nil
	}
	if a.Check != "" {
		faults = append(faults, fmt.Sprintf("%s has an entsql.Check without a name, so that nobody could be told which rule is broken: write entsql.Checks(map[string]string{\"a_name\": %q})", t.Name, a.Check))
	}
	for _, name := range slices.Sorted(maps.Keys(a.Checks)) {
		r, fault := readRule(t, name, a.Checks[name])
		if fault != "" {
			faults = append(faults, fmt.Sprintf("%s has the rule %q (%s), %s", t.Name, name, a.Checks[name], fault))
			continue
		}
		rules = append(rules, r)
	}
	return rules, faults
}

func readRule(t *gen.Type, name, text string) (r fieldRule, fault string) {
	parsed, err := condition.Parse(text)
	switch {
	case !ruleName.MatchString(name):
		return r, "whose name is no good: use lower-case letters, digits and _, 63 at most"
	case strings.HasPrefix(name, t.Table()+"_"):
		return r, fmt.Sprintf("whose name begins with %s_, as those of keys and references do: choose another", t.Table())
	case err != nil:
		return r, fmt.Sprintf("in which %v: %s", err, condition.Allowed)
	}
	for _, test := range parsed.Tests() {
		if fault := testFault(t, test); fault != "" {
			return r, "in which " + fault
		}
	}
	return fieldRule{name, parsed.String(), parsed}, ""
}

// testFault finds a comparison that the databases would not judge alike, or that
// would tell what is not shown.
func testFault(t *gen.Type, test condition.Test) string {
	k, fault := columnIn(t, test.Column)
	switch {
	case fault != "":
		return fault
	case test.Op == condition.Null || test.Op == condition.NotNull:
		if f := fieldNamed(t, test.Column); f.IsEdgeField() {
			return test.Column + " is a reference, and a delete of what it refers to sets it to null, which a rule must not forbid: leave IS NULL and IS NOT NULL to other fields"
		}
		return ""
	case strings.ContainsAny(test.Op, "<>") && test.Op != "<>" && !hasOrder[k.Name]:
		return fmt.Sprintf("%s is compared by %s, and the databases sort %s differently: use =, <> or IN", test.Column, test.Op, k.words())
	}
	for _, o := range test.Operands {
		if o.Column == "" {
			if fault := valueFault(k, o.Value); fault != "" {
				return test.Column + " " + fault
			}
			if f := fieldNamed(t, test.Column); f.IsEnum() && !slices.Contains(f.EnumValues(), fmt.Sprint(o.Value)) {
				return fmt.Sprintf("%s is compared with '%v', which it never is: write one of %s", test.Column, o.Value, strings.Join(f.EnumValues(), ", "))
			}
			continue
		}
		other, fault := columnIn(t, o.Column)
		if fault != "" {
			return fault
		}
		if !alike(k, other) {
			return fmt.Sprintf("%s is compared with %s, which is of another kind: compare fields of one kind", test.Column, o.Column)
		}
	}
	return ""
}
