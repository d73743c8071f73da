package restgen

import (
	"encoding/json"
	"fmt"
	"slices"

	"entgo.io/ent/entc/gen"

	"records/internal/scalar"
)

// hasOrder are the kinds of which both databases agree which value is greater.
var hasOrder = map[string]bool{"Integer": true, "Float": true, decimal.Name: true, date.Name: true, timestamp.Name: true, duration.Name: true}

func (k kind) words() string {
	return map[string]string{text.Name: "texts", "Enum": "the values of an enum", uuidKind.Name: "UUIDs", boolean.Name: "true and false"}[k.Name]
}

func alike(a, b kind) bool { return a.Name == b.Name && (a.Name != "Float" || a.GoType == b.GoType) }

// columnIn is the kind of a field that a rule may speak of.
func columnIn(t *gen.Type, name string) (k kind, fault string) {
	f := fieldNamed(t, name)
	switch {
	case f == nil:
		return k, fmt.Sprintf("%s is no field of %s that clients write", name, t.Name)
	case !shown(f):
		return k, name + " is not shown, and what the rule refuses would tell its value: leave it out, or show the field"
	}
	k, ok := kindOf(f)
	if !ok || k.byValue() {
		return k, name + " is a list or an object, which the databases keep differently: leave it out, and hold its values by Validate"
	}
	return k, ""
}

func fieldNamed(t *gen.Type, name string) *gen.Field {
	for _, f := range t.Fields {
		if f.Name == name && !slices.Contains(serverSet, name) {
			return f
		}
	}
	return nil
}

// mostExact is the greatest whole number up to which a float holds every one.
const mostExact = 1 << 53

// valueFault finds a value that a field of the kind cannot be compared with.
func valueFault(k kind, value any) string {
	n, number := value.(json.Number)
	s, isText := value.(string)
	_, truth := value.(bool)
	whole, _ := n.Int64() // the parser has seen to it
	_, noDay := scalar.ParseDate(s)
	switch k.Name {
	case timestamp.Name, duration.Name, uuidKind.Name:
		return "is compared with a value, which the databases keep in different forms: compare it with another field, or hold it by Validate"
	case "Integer", decimal.Name:
		return wrongValue(number, "a whole number")
	case "Float":
		return wrongValue(number && whole >= -mostExact && whole <= mostExact, "a whole number of at most 53 bits")
	case boolean.Name:
		return wrongValue(truth, "true or false")
	case date.Name:
		return wrongValue(isText && noDay == nil, "a day such as '2026-12-31'")
	}
	return wrongValue(isText, "a text such as 'open'")
}

func wrongValue(ok bool, want string) string {
	if ok {
		return ""
	}
	return "is compared with a value of another kind: write " + want
}
