package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"records/internal/database"
	"records/migrate"
)

// migrationsAreApplied looks how the database stands to the migrations of this program,
// and reports whether its contents are those that the program knows.
func migrationsAreApplied(ctx context.Context, db *database.DB) (faults []Fault, current bool) {
	if who, err := migrate.Busy(ctx, db); err == nil && who != "" {
		faults = append(faults, Fault{
			Check:  "migrations",
			What:   fmt.Sprintf("The lock of those who migrate is held, by %s.", who),
			Why:    "While it is held nobody else can migrate.",
			Remedy: "If nobody migrates now, end that session (pg_terminate_backend) or process.",
		})
	}
	standing, err := migrate.Embedded.Compare(ctx, db)
	if denied, ok := errors.AsType[*migrate.DeniedError](err); ok {
		return append(faults, Fault{
			Check: "role", What: sentence(denied.What),
			Why:    "Servers do not start, or are not ready; and what is in the database is not looked at.",
			Remedy: "As the owner, " + denied.Grant + ".",
		}), false
	}
	if err != nil {
		return append(faults, Fault{
			Check:  "migrations",
			What:   "The migrations cannot be looked at: " + database.Sentence(err) + ".",
			Why:    "Servers do not start, or are not ready.",
			Remedy: "If the checksum does not match, the program is not as it was built: install it anew.",
		}), false
	}
	if err := standing.Err(); err != nil {
		return append(faults, Fault{
			Check: "migrations", What: "A newer version of records has migrated the database, to " + standing.Breaking + ".",
			Why:    "This version cannot serve it: its servers are not ready.",
			Remedy: "Start the newer version, or restore the backup of before.",
		}), false
	}
	if n := len(standing.Newer); n > 0 {
		return append(faults, Fault{
			Check: "migrations", What: "A newer version of records has migrated the database, to " + standing.Newer[n-1] + ".",
			Why:    "This version can serve it, and does not know what its contents have to be: they are looked at no further.",
			Remedy: "Run the `records doctor` of the newer version.",
		}), false
	}
	if len(standing.Pending) > 0 {
		return append(faults, Fault{
			Check: "migrations", What: "Migrations are pending: " + strings.Join(standing.Pending, ", ") + ".",
			Why:    "Servers of this version are not ready until they are applied.",
			Remedy: "Run `records migrate up`, and this command again.",
		}), false
	}
	return faults, true
}

// sentence is what an error says, with a capital and a full stop.
func sentence(said string) string { return strings.ToUpper(said[:1]) + said[1:] + "." }
