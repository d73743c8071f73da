package doctor

import (
	"context"
	"strings"

	"records/internal/rowsecurity"
)

// seesAll finds a role that PostgreSQL confines to one workspace at a time: what it
// counted would be wrong.
func seesAll(ctx context.Context, d Deployment) ([]Fault, error) {
	hidden, err := rowsecurity.Hidden(ctx, d.DB)
	if err != nil || len(hidden) == 0 {
		return nil, err
	}
	return []Fault{{
		Check:  "role",
		What:   "PostgreSQL confines this role to one workspace at a time in " + strings.Join(hidden, ", ") + ".",
		Why:    "It sees no record by itself, so that nothing can be said of what is in the database.",
		Remedy: "Let records doctor connect as the owner of the tables, by its own --database.url.",
	}}, nil
}
