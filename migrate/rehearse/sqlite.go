package rehearse

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"records/internal/database"
	"records/migrate"
)

// copySQLite copies the file into a temporary folder of its own, as of one moment,
// while others may write.
func copySQLite(ctx context.Context, url string) (*scratch, error) {
	original, err := database.Open(url, database.Options{MustExist: true})
	if err != nil {
		return nil, err
	}
	defer original.Close()
	folder, err := os.MkdirTemp("", "records-rehearsal-")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "copy.db")
	db, err := openCopy(ctx, original, path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("copy the database into %s: %w", folder, err), os.RemoveAll(folder))
	}
	return &scratch{db: db, how: "a copy of the file", remove: func() error {
		err := db.Close()
		if left := os.RemoveAll(folder); left != nil {
			return errors.Join(err, &LeftError{folder, left})
		}
		return err
	}}, nil
}

func openCopy(ctx context.Context, original *database.DB, path string) (*database.DB, error) {
	pool, err := original.Apart(migrate.DefaultLockTimeout)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	if _, err := pool.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, err
	}
	return database.Open("sqlite:"+path, database.Options{})
}

// sqliteState is how a file stood.
type sqliteState struct {
	on      migrate.On
	changes int64
	roots   map[string]int64 // by table the page where it begins
	dropped map[string]bool  // tables that the migrations have dropped
}

func lookSQLite(ctx context.Context, on migrate.On, dropped map[string]bool) (observation, error) {
	s := &sqliteState{on: on, dropped: dropped}
	var err error
	if s.changes, err = changes(ctx, on.Session); err != nil {
		return nil, err
	}
	s.roots, err = roots(ctx, on.Session)
	return s, err
}

func (s *sqliteState) stop() {}

func (s *sqliteState) compare(ctx context.Context, _ sql.Result, step *Step) error {
	after, err := changes(ctx, s.on.Session)
	if err != nil {
		return err
	}
	step.Rows = after - s.changes
	now, err := roots(ctx, s.on.Session)
	if err != nil {
		return err
	}
	// A rebuilt table begins on another page; a column is dropped where it is.
	table, dropped := s.on.Statement.DropsColumn()
	for name, page := range now {
		if before, was := s.roots[name]; was && before != page || dropped && name == table {
			step.Rewritten = append(step.Rewritten, name)
		}
	}
	// The last step of a rebuild: the new table takes the name of the old one.
	if _, to, ok := s.on.Statement.Renames(); ok && s.dropped[s.on.Migration+to] {
		step.Rewritten = append(step.Rewritten, to)
	}
	if name, ok := s.on.Statement.Drops("table"); ok {
		s.dropped[s.on.Migration+name] = true
	}
	step.Locks = []Lock{{Relation: "the file", Mode: "write lock", Blocks: "writers wait until the end of the migration, readers go on"}}
	return nil
}

func changes(ctx context.Context, db migrate.Session) (n int64, err error) {
	err = db.QueryRowContext(ctx, "SELECT total_changes()").Scan(&n)
	return n, err
}

func roots(ctx context.Context, db migrate.Session) (map[string]int64, error) {
	rows, err := db.QueryContext(ctx, "SELECT name, rootpage FROM sqlite_master WHERE type = 'table'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]int64{}
	for rows.Next() {
		var name string
		var page int64
		if err := rows.Scan(&name, &page); err != nil {
			return nil, err
		}
		all[name] = page
	}
	return all, rows.Err()
}
