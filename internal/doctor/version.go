package doctor

import (
	"context"
	"fmt"
)

// leastVersion is the first PostgreSQL that can clear one column of a reference.
const leastVersion = 15

func serverIsNewEnough(ctx context.Context, d Deployment) ([]Fault, error) {
	if !d.isPostgres() {
		return nil, nil // SQLite is a part of the program
	}
	var number int
	if err := d.DB.SQL().QueryRowContext(ctx, "SELECT current_setting('server_version_num')::int").Scan(&number); err != nil {
		return nil, err
	}
	return judgeVersion(number), nil
}

// judgeVersion takes a version as 150004.
func judgeVersion(number int) []Fault {
	if number >= leastVersion*10_000 {
		return nil
	}
	return []Fault{{
		Check:  "version",
		What:   fmt.Sprintf("PostgreSQL is version %d, and %d is the least.", number/10_000, leastVersion),
		Why:    "It cannot clear one column of a reference (ON DELETE SET NULL (column)), and refuses the first migration.",
		Remedy: fmt.Sprintf("Upgrade the server to version %d or later.", leastVersion),
	}}
}
