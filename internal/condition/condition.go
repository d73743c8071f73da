// Package condition is the small language of the rules over several fields of a
// record: what may stand in the entsql.Checks of a schema. It holds only what
// both databases judge alike.
package condition

import (
	"slices"
	"strings"
)

// Rule is a condition that every record of a resource meets.
type Rule struct{ root node }

// Test is one comparison of a rule.
type Test struct {
	Column   string
	Op       string    // a key of Ops
	Operands []Operand // what the column is compared with: none for null, several for IN
}

// Operand is a column or a value. A number is written out, as it stands in JSON.
type Operand struct {
	Column string // "" for a value
	Value  any    // a string, a bool or a json.Number
}

// The ways in which a column is tested.
const (
	In      = "IN"
	Null    = "IS NULL"
	NotNull = "IS NOT NULL"
)

// node is a Test, or what joins several.
type node interface {
	write(s spelling) string
	judge(value func(column string) any) truth
	tests() []Test
}

// all joins with AND, either with OR.
type (
	all    []node
	either []node
	not    struct{ node }
)

// Tests are the comparisons of the rule.
func (r Rule) Tests() []Test { return r.root.tests() }

// Columns are those of which the rule speaks, in order.
func (r Rule) Columns() []string {
	var names []string
	for _, t := range r.Tests() {
		names = append(names, t.Column)
		for _, o := range t.Operands {
			if o.Column != "" {
				names = append(names, o.Column)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// String is the rule as a client is told it. It can be parsed again.
func (r Rule) String() string { return r.root.write(plain{}) }

func (t Test) tests() []Test   { return []Test{t} }
func (n not) tests() []Test    { return n.node.tests() }
func (a all) tests() []Test    { return testsOf(a) }
func (e either) tests() []Test { return testsOf(e) }

func testsOf(parts []node) (tests []Test) {
	for _, p := range parts {
		tests = append(tests, p.tests()...)
	}
	return tests
}

func (t Test) write(s spelling) string   { return s.test(t) }
func (n not) write(s spelling) string    { return "NOT " + within(n.node, s) }
func (a all) write(s spelling) string    { return joined(a, " AND ", s) }
func (e either) write(s spelling) string { return joined(e, " OR ", s) }

func joined(parts []node, by string, s spelling) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = within(p, s)
	}
	return strings.Join(texts, by)
}

// within puts what is joined between parentheses, so that nobody has to know what
// binds closer.
func within(n node, s spelling) string {
	switch n.(type) {
	case all, either:
		return "(" + n.write(s) + ")"
	}
	return n.write(s)
}
