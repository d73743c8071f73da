package condition

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"records/internal/scalar"
)

// truth is that of SQL, where what is compared with null is neither.
type truth int

const (
	no truth = iota - 1
	unknown
	yes
)

// Broken reports whether a record breaks the rule. value is what it has in a column
// as JSON would say it, with numbers as json.Number, and nil for null. A comparison
// with null breaks nothing.
func (r Rule) Broken(value func(column string) any) bool { return r.root.judge(value) == no }

func (n not) judge(value func(string) any) truth { return -n.node.judge(value) }

func (a all) judge(value func(string) any) truth {
	least := yes
	for _, n := range a {
		least = min(least, n.judge(value))
	}
	return least
}

func (e either) judge(value func(string) any) truth {
	most := no
	for _, n := range e {
		most = max(most, n.judge(value))
	}
	return most
}

func (t Test) judge(value func(string) any) truth {
	left := value(t.Column)
	switch {
	case t.Op == Null || t.Op == NotNull:
		return truthOf((left == nil) == (t.Op == Null))
	case left == nil:
		return unknown
	}
	found := no
	for _, o := range t.Operands {
		right := o.Value
		if o.Column != "" {
			right = value(o.Column)
		}
		if right == nil {
			return unknown
		}
		found = max(found, truthOf(compares(compare(left, right), t.Op)))
	}
	return found
}

func truthOf(holds bool) truth {
	if holds {
		return yes
	}
	return no
}

// compares reports whether an order is what the operator asks for.
func compares(order int, op string) bool {
	switch op {
	case "<>":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	return order == 0
}

// compare orders two values of one kind, which may be written in several forms.
func compare(a, b any) int {
	x, y := fmt.Sprint(a), fmt.Sprint(b)
	if _, number := a.(json.Number); number {
		m, ok := new(big.Rat).SetString(x)
		if n, also := new(big.Rat).SetString(y); ok && also {
			return m.Cmp(n)
		}
	}
	return strings.Compare(form(x), form(y))
}

// form is a moment, a duration or an id in a form in which it sorts as text.
func form(s string) string {
	if at, err := scalar.ParseTimestamp(s); err == nil {
		return string(scalar.AppendTimestamp(nil, at))
	}
	if d, err := scalar.ParseDuration(s); err == nil {
		return fmt.Sprintf("%020d", d)
	}
	if id, err := scalar.ParseUUID(s); err == nil {
		return id.String()
	}
	return s
}
