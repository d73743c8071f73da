package diff

import (
	"fmt"

	"entgo.io/ent/dialect/sql/schema"

	"records/internal/condition"
)

// rule writes the checks of a record's table as the dialect has to be told them.
func (d Declaration) rule(t *schema.Table, dialectName string) error {
	if t.Annotation == nil {
		return nil
	}
	spelled := map[string]string{}
	for name, text := range t.Annotation.Checks {
		r, err := condition.Parse(text)
		if err != nil {
			return fmt.Errorf("%s: the rule %q: %w", d.source(t.Name), name, err)
		}
		spelled[name] = r.SQL(dialectName, func(column string) string { return d.Kinds[t.Name+"."+column] })
	}
	t.Annotation.Checks = spelled // a copy: that of the declaration keeps its own
	return nil
}
