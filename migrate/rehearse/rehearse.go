// Package rehearse runs what is pending on a copy of a database, and tells what
// each statement does to it. The original is left as it is.
package rehearse

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/migrate"
	"records/migrate/lint"
)

// Report is what a rehearsal found.
type Report struct {
	Copy       string         `json:"copy"` // how the copy was made
	Pending    []string       `json:"pending"`
	Statements []Step         `json:"statements"`
	Findings   []lint.Finding `json:"findings"`
	Failed     string         `json:"failed,omitempty"` // why it ended early
}

// Step is what one statement did.
type Step struct {
	File         string  `json:"file"`
	Line         int     `json:"line"`
	Statement    string  `json:"statement"` // its first line
	Milliseconds float64 `json:"milliseconds"`
	// Rows it wrote, those of the tables that it wrote anew included.
	Rows      int64    `json:"rows"`
	Rewritten []string `json:"rewritten"` // tables that were written anew
	Locks     []Lock   `json:"locks"`     // that it took, the strongest first
}

// Lock is a lock that a statement took. In a transaction it is held until the end
// of the migration.
type Lock struct {
	Relation string `json:"relation"`
	Mode     string `json:"mode"`
	Blocks   string `json:"blocks"` // who waits for it
}

// Options are the choices of a rehearsal.
type Options struct {
	// Copy is the URL of a copy that is there already, "" to make one. What runs
	// there is rolled back. PostgreSQL only.
	Copy string
	// Migrate are those of migrating; Around is the rehearsal's own.
	Migrate migrate.Options
}

// Run rehearses what is pending on the database at url. It removes the copy that it
// has made also when it fails or ctx ends. An error is about the copy; a migration
// that fails is told in the report.
func Run(ctx context.Context, source *migrate.Source, url string, o Options) (report Report, err error) {
	copied, err := makeCopy(ctx, url, o)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, copied.remove()) }()
	report = Report{Copy: copied.how, Pending: []string{}, Statements: []Step{}, Findings: []lint.Finding{}}
	standing, err := source.Compare(ctx, copied.db)
	if err != nil || standing.Err() != nil {
		return report, errors.Join(err, standing.Err())
	}
	report.Pending = append(report.Pending, standing.Pending...)
	findings, err := source.Lint(ctx, copied.db)
	if err != nil {
		return report, err
	}
	report.Findings = append(report.Findings, findings...)
	o.Migrate.Around = report.around(copied.db.Dialect())
	if copied.keep {
		err = source.TryPostgres(ctx, copied.db, o.Migrate)
	} else {
		_, err = source.Up(ctx, copied.db, o.Migrate)
	}
	if err != nil && ctx.Err() == nil {
		report.Failed = strings.ReplaceAll(err.Error(), "\n", " ")
		err = nil
	}
	return report, err
}

// around measures each statement.
func (r *Report) around(d string) func(context.Context, migrate.On, func() (sql.Result, error)) error {
	dropped := map[string]bool{}
	look := func(ctx context.Context, on migrate.On) (observation, error) { return lookSQLite(ctx, on, dropped) }
	if d == dialect.Postgres {
		var first map[int64]relation // as it was before the first statement
		look = func(ctx context.Context, on migrate.On) (observation, error) {
			s, err := lookPostgres(ctx, on)
			if err == nil && first == nil {
				first = s.relations
			}
			if err == nil {
				s.first = first
			}
			return s, err
		}
	}
	return func(ctx context.Context, on migrate.On, run func() (sql.Result, error)) error {
		seen, err := look(ctx, on)
		if err != nil {
			return err
		}
		start := time.Now()
		result, err := run()
		took := time.Since(start)
		if err != nil {
			seen.stop()
			return err
		}
		step := Step{
			File: on.Migration, Line: on.Statement.Line, Statement: on.Statement.First(),
			Milliseconds: float64(took.Microseconds()) / 1000, Rewritten: []string{}, Locks: []Lock{},
		}
		if err := seen.compare(ctx, result, &step); err != nil {
			return err
		}
		r.Statements = append(r.Statements, step)
		return nil
	}
}

// observation is how things stood before a statement.
type observation interface {
	// compare looks again and fills in what has changed.
	compare(ctx context.Context, result sql.Result, step *Step) error
	// stop ends the looking after a statement that failed.
	stop()
}

// scratch is a copy of a database.
type scratch struct {
	db     *database.DB
	how    string
	keep   bool // it was there before, so that what runs in it is undone
	remove func() error
}

// Strongest returns the strongest lock of a report, the first of several.
func Strongest(report Report) (lock Lock, ok bool) {
	for _, step := range report.Statements {
		for _, l := range step.Locks {
			if !ok || strength(l.Mode) < strength(lock.Mode) {
				lock, ok = l, true
			}
		}
	}
	return lock, ok
}
