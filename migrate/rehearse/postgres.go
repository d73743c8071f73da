package rehearse

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"records/migrate"
	"records/migrate/script"
)

// modes are PostgreSQL's locks on tables, the strongest first, with who waits for
// them: https://www.postgresql.org/docs/current/explicit-locking.html
var modes = []struct{ name, blocks string }{
	{"AccessExclusiveLock", "readers and writers wait"},
	{"ExclusiveLock", "writers wait, readers go on"},
	{"ShareRowExclusiveLock", "writers wait, readers go on"},
	{"ShareLock", "writers wait, readers go on"},
	{"ShareUpdateExclusiveLock", "other changes of the schema and VACUUM wait, readers and writers go on"},
	{"RowExclusiveLock", "changes of the schema wait, readers and writers go on"},
	{"RowShareLock", "changes of the schema wait, readers and writers go on"},
	{"AccessShareLock", "changes of the schema wait, readers and writers go on"},
}

func strength(mode string) int {
	return slices.IndexFunc(modes, func(m struct{ name, blocks string }) bool { return m.name == mode })
}

// relation is a table as the catalogue has it.
type relation struct {
	name string
	node int64 // of its file: another one is a table written anew
}

// held is a lock of the session.
type held struct {
	oid  int64
	mode string
}

// postgresState is how a database stood.
type postgresState struct {
	on        migrate.On
	relations map[int64]relation
	first     map[int64]relation // before the first statement of all
	before    map[held]bool
	sampler   *sampler // for a statement whose locks are gone at its end
}

func lookPostgres(ctx context.Context, on migrate.On) (*postgresState, error) {
	s := &postgresState{on: on}
	var err error
	if s.relations, err = relations(ctx, on.Session); err != nil {
		return nil, err
	}
	var pid int
	if err := on.Session.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		return nil, err
	}
	if s.before, err = locks(ctx, on.Session, pid); err != nil {
		return nil, err
	}
	if on.Alone {
		s.sampler = sample(ctx, on.Pool, pid)
	}
	return s, nil
}

func (s *postgresState) stop() {
	if s.sampler != nil {
		s.sampler.end()
	}
}

func (s *postgresState) compare(ctx context.Context, result sql.Result, step *Step) error {
	taken, err := s.taken(ctx)
	if err != nil {
		return err
	}
	now, err := relations(ctx, s.on.Session)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err == nil {
		step.Rows = n
	}
	for oid, r := range now {
		if was, ok := s.relations[oid]; ok && was.node != r.node {
			step.Rewritten = append(step.Rewritten, r.name)
			var n int64
			if err := s.on.Session.QueryRowContext(ctx, "SELECT count(*) FROM "+script.Quote(r.name)).Scan(&n); err == nil {
				step.Rows += n
			}
		}
	}
	slices.Sort(step.Rewritten)
	for lock := range taken {
		r, ok := s.first[lock.oid]
		if !ok || s.before[lock] || strength(lock.mode) < 0 {
			continue // a new table, which nobody uses yet
		}
		step.Locks = append(step.Locks, Lock{r.name, lock.mode, modes[strength(lock.mode)].blocks})
	}
	slices.SortFunc(step.Locks, func(a, b Lock) int {
		if d := strength(a.Mode) - strength(b.Mode); d != 0 {
			return d
		}
		return slices.Compare([]string{a.Relation}, []string{b.Relation})
	})
	return nil
}

// taken are the locks that the statement holds at its end, or was seen to hold.
func (s *postgresState) taken(ctx context.Context) (map[held]bool, error) {
	if s.sampler != nil {
		return s.sampler.end(), nil
	}
	var pid int
	if err := s.on.Session.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		return nil, err
	}
	return locks(ctx, s.on.Session, pid)
}

// relations are the tables outside of the catalogue, by oid.
func relations(ctx context.Context, db migrate.Session) (map[int64]relation, error) {
	rows, err := db.QueryContext(ctx, `SELECT oid, relname, pg_relation_filenode(oid) FROM pg_class
		WHERE relkind IN ('r', 'm') AND relpersistence <> 't' AND relnamespace = quote_ident(current_schema())::regnamespace`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int64]relation{}
	for rows.Next() {
		var oid int64
		var r relation
		if err := rows.Scan(&oid, &r.name, &r.node); err != nil {
			return nil, err
		}
		all[oid] = r
	}
	return all, rows.Err()
}

func locks(ctx context.Context, db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, pid int,
) (map[held]bool, error) {
	rows, err := db.QueryContext(ctx, "SELECT relation::bigint, mode FROM pg_locks WHERE locktype = 'relation' AND granted AND pid = "+strconv.Itoa(pid)+
		" AND database = (SELECT oid FROM pg_database WHERE datname = current_database())")
	if err != nil {
		return nil, fmt.Errorf("look at the locks: %w", err)
	}
	defer rows.Close()
	all := map[held]bool{}
	for rows.Next() {
		var h held
		if err := rows.Scan(&h.oid, &h.mode); err != nil {
			return nil, err
		}
		all[h] = true
	}
	return all, rows.Err()
}

// sampler looks at a session's locks from outside, again and again.
type sampler struct {
	cancel context.CancelFunc
	all    sync.WaitGroup
	seen   map[held]bool
}

func sample(ctx context.Context, pool *sql.DB, pid int) *sampler {
	const every = 200 * time.Microsecond
	ctx, cancel := context.WithCancel(ctx)
	s := &sampler{cancel: cancel, seen: map[held]bool{}}
	_, _ = locks(ctx, pool, pid) // so that the connection stands when the statement begins
	s.all.Go(func() {
		for ctx.Err() == nil {
			now, err := locks(ctx, pool, pid)
			if err == nil {
				for lock := range now {
					s.seen[lock] = true
				}
			}
			time.Sleep(every)
		}
	})
	return s
}

func (s *sampler) end() map[held]bool {
	s.cancel()
	s.all.Wait()
	return s.seen
}
