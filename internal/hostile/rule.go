package hostile

import (
	"slices"

	"records/internal/condition"
	"records/internal/rest"
)

// Broken is the name of the first rule of a resource that a record breaks, "" where
// all hold.
func Broken(r rest.Resource, record map[string]any) string {
	for _, rule := range r.Spec().Rules {
		parsed, err := condition.Parse(rule.Text)
		if err == nil && parsed.Broken(func(column string) any { return record[column] }) {
			return rule.Name
		}
	}
	return ""
}

// Ruled reports whether a rule of the resource speaks of a field, which a body is
// not valid without then, for all that one knows.
func Ruled(r rest.Resource, field string) bool {
	return slices.ContainsFunc(r.Spec().Rules, func(rule rest.Rule) bool {
		parsed, err := condition.Parse(rule.Text)
		return err == nil && slices.Contains(parsed.Columns(), field)
	})
}
