package doctor

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// keysAreTold looks for the row by which servers learn that a key was changed. What
// changes keys renews it, and does not make it.
func keysAreTold(ctx context.Context, c *contents) ([]Fault, error) {
	if c.unseen["key_generations"] {
		return nil, nil
	}
	var rows int
	if err := c.tx.QueryRowContext(ctx, "SELECT count(*) FROM key_generations").Scan(&rows); err != nil || rows > 0 {
		return nil, err
	}
	if c.mend {
		if _, err := c.tx.ExecContext(ctx, "INSERT INTO key_generations (id, generation) VALUES ($1, $2)", uuid.Must(uuid.NewV7()), uuid.NewString()); err != nil {
			return nil, fmt.Errorf("making the generation of the keys: %w", err)
		}
	}
	return []Fault{{
		Check:  "keys",
		What:   "The row of key_generations is missing, by which servers learn that a key was changed.",
		Why:    "Changes hold all the same, but every key in use is looked up more than once a second.",
		Remedy: "Run `records doctor --repair`.",
		Mended: c.mend,
	}}, nil
}
