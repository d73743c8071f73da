package doctor

import (
	"context"
	"fmt"
)

// losses are the settings of PostgreSQL by which commits that were confirmed are lost.
var losses = []struct{ setting, why string }{
	{"fsync", "What was acknowledged is not on the disk: a crash of the machine can lose it, or damage the database."},
	{"full_page_writes", "A crash of the machine can leave half-written pages, which damage the database."},
	{"synchronous_commit", "A crash of the database server loses the writes of the last moment, although they were acknowledged."},
}

// commitsLast looks whether a write that was acknowledged outlives a crash. SQLite's
// settings are the program's own.
func commitsLast(ctx context.Context, d Deployment) (faults []Fault, err error) {
	if !d.isPostgres() {
		return nil, nil
	}
	for _, l := range losses {
		var value string
		if err := d.DB.SQL().QueryRowContext(ctx, "SELECT current_setting($1)", l.setting).Scan(&value); err != nil {
			return nil, err
		}
		if value == "off" {
			faults = append(faults, Fault{
				Check: "durability", What: fmt.Sprintf("%s is off.", l.setting), Why: l.why,
				Remedy: fmt.Sprintf("Switch %s on, in postgresql.conf or where the database, the role or database.url has it off.", l.setting),
			})
		}
	}
	return faults, nil
}
