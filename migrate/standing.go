package migrate

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// Standing is how a database stands to the migrations of a program.
type Standing struct {
	Applied []string // both have them
	Pending []string // the database lacks them
	Newer   []string // the database has them, the program does not know them
	// Breaking is the last of the newer ones that the program cannot serve, ""
	// if it can serve them all.
	Breaking string
}

// NewerError says that the database was migrated past what this program can serve.
type NewerError struct{ Migration string }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the database was migrated by a newer version of records, to %s, which this one cannot serve: start the newer version", e.Migration)
}

// Err returns a *NewerError if the program cannot serve the database.
func (s Standing) Err() error {
	if s.Breaking != "" {
		return &NewerError{s.Breaking}
	}
	return nil
}

// inOrder returns an error if the database has a migration that is newer than one
// which it lacks, or one that the program does not know: what is pending was not
// written with that one in mind.
func (s Standing) inOrder() error {
	if len(s.Pending) == 0 {
		return nil
	}
	for _, name := range append(slices.Clone(s.Applied), s.Newer...) {
		if name > s.Pending[0] {
			return fmt.Errorf("migrate: %s is pending and is older than %s, which the database has: generate it anew, so that it comes last", s.Pending[0], name)
		}
	}
	if len(s.Newer) > 0 {
		return fmt.Errorf("migrate: %s is pending, and the database has %s, which this version of records does not know: another branch has migrated it", s.Pending[0], s.Newer[0])
	}
	return nil
}

// State is one migration and whether the database has it.
type State struct {
	Name    string `json:"name"`
	Applied bool   `json:"applied"`
	// Newer: the database has it, and this program does not know it.
	Newer bool `json:"newer,omitempty"`
}

// Status lists the migrations, oldest first, and behind them those that the
// database has beyond. It changes nothing and waits for nobody.
func (s *Source) Status(ctx context.Context, db *database.DB) ([]State, error) {
	known, err := s.read(db.Dialect())
	if err != nil {
		return nil, err
	}
	if err := notForeign(ctx, db); err != nil {
		return nil, err
	}
	kept, err := history(ctx, db)
	if err != nil {
		return nil, err
	}
	var states []State
	for _, m := range known {
		_, applied := kept.get(m.Version)
		states = append(states, State{Name: m.Name, Applied: applied})
	}
	for _, e := range kept.beyond(known) {
		states = append(states, State{Name: e.title() + ".sql", Applied: true, Newer: true})
	}
	return states, nil
}

// Compare tells how the database stands to the migrations. It changes nothing,
// not even on a database that has none.
func (s *Source) Compare(ctx context.Context, db *database.DB) (Standing, error) {
	known, err := s.read(db.Dialect())
	if err != nil {
		return Standing{}, err
	}
	kept, err := history(ctx, db)
	if err != nil {
		return Standing{}, err
	}
	var standing Standing
	for _, m := range known {
		if _, applied := kept.get(m.Version); applied {
			standing.Applied = append(standing.Applied, m.Name)
		} else {
			standing.Pending = append(standing.Pending, m.Name)
		}
	}
	for _, e := range kept.beyond(known) {
		standing.Newer = append(standing.Newer, e.title()+".sql")
		if e.breaks {
			standing.Breaking = e.title()
		}
	}
	return standing, nil
}

// entry is a migration as the database keeps it.
type entry struct {
	version int64
	name    string // "" where an older version of records has applied it
	breaks  bool
}

func (e entry) title() string {
	if e.name == "" {
		return strconv.FormatInt(e.version, 10)
	}
	return e.name
}

// entries are sorted by version.
type entries []entry

func (all entries) get(version int64) (entry, bool) {
	for _, e := range all {
		if e.version == version {
			return e, true
		}
	}
	return entry{}, false
}

// beyond are those that are not among the known ones.
func (all entries) beyond(known []migration) entries {
	versions := map[int64]bool{}
	for _, m := range known {
		versions[m.Version] = true
	}
	var left entries
	for _, e := range all {
		if !versions[e.version] {
			left = append(left, e)
		}
	}
	return left
}

// history reads what the database keeps of its migrations, oldest first.
func history(ctx context.Context, db *database.DB) (entries, error) {
	var hasTable, hasHistory bool
	query := `SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '` + Table + `'),
		EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '` + HistoryTable + `')`
	if db.Dialect() == dialect.Postgres {
		query = `SELECT to_regclass('` + Table + `') IS NOT NULL, to_regclass('` + HistoryTable + `') IS NOT NULL`
	}
	if err := db.SQL().QueryRowContext(ctx, query).Scan(&hasTable, &hasHistory); err != nil {
		return nil, err
	}
	if !hasTable {
		if db.Dialect() == dialect.Postgres {
			return nil, unusable(ctx, db)
		}
		return nil, nil
	}
	query = `SELECT DISTINCT m.version_id, '', false FROM ` + Table + ` m WHERE m.version_id > 0 ORDER BY 1`
	if hasHistory {
		query = `SELECT DISTINCT m.version_id, COALESCE(h.name, ''), COALESCE(h.breaks, false)
			FROM ` + Table + ` m LEFT JOIN ` + HistoryTable + ` h ON h.version = m.version_id WHERE m.version_id > 0 ORDER BY 1`
	}
	rows, err := db.SQL().QueryContext(ctx, query)
	if err != nil {
		return nil, unreadable(ctx, db, err)
	}
	defer rows.Close()
	var all entries
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.version, &e.name, &e.breaks); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, rows.Err()
}
