package rest

import (
	"fmt"

	"records/internal/database"
)

// Rule is one over several fields of a record, a check of its table.
type Rule struct{ Name, Text string }

// ruled says which rule a write would break, where that is why the database has
// refused it.
func (s Spec) ruled(err error) error {
	broken := database.BrokenCheck(err)
	for _, r := range s.Rules {
		if r.Name == broken {
			return BadRequest(CodeValidationFailed, fmt.Sprintf("The rule %q does not hold: %s.", r.Name, r.Text))
		}
	}
	return err
}
