package rehearse

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"records/internal/database"
	"records/migrate/script"
)

// Prefix begins the name of a copy on a PostgreSQL server. One that a killed
// rehearsal has left behind can be dropped.
const Prefix = "records_rehearsal_"

// removeTimeout bounds the removal of a copy, also after the rehearsal was told to
// stop.
const removeTimeout = 30 * time.Second

// leave is how long the rehearsal waits for connections to the original that are
// being closed: the server shows them for a moment longer, those of the program
// that has asked for the rehearsal too.
const leave = time.Second

// LeftError says that a copy is still there, and what it is called.
type LeftError struct {
	Copy  string
	Cause error
}

func (e *LeftError) Error() string {
	return fmt.Sprintf("the copy %s could not be removed: %v", e.Copy, e.Cause)
}

func (e *LeftError) Unwrap() error { return e.Cause }

func makeCopy(ctx context.Context, rawURL string, o Options) (*scratch, error) {
	if strings.HasPrefix(rawURL, "sqlite:") {
		if o.Copy != "" {
			return nil, errors.New("copy: a copy of a SQLite file is made by the rehearsal itself")
		}
		return copySQLite(ctx, rawURL)
	}
	if o.Copy != "" {
		return useCopy(ctx, rawURL, o.Copy)
	}
	return copyPostgres(ctx, rawURL, o.Migrate.Say)
}

// useCopy opens a copy that is there already. It must not be the original.
func useCopy(ctx context.Context, original, copied string) (*scratch, error) {
	if strings.HasPrefix(copied, "sqlite:") { // opening it would make the file
		return nil, errors.New("copy: it must begin with postgres://")
	}
	db, err := database.Open(copied, database.Options{})
	if err != nil {
		return nil, fmt.Errorf("copy: %w", err)
	}
	same, err := isSame(ctx, original, db)
	if err == nil && same {
		err = errors.New("copy: this is the database itself, not a copy of it")
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &scratch{db: db, how: "the copy that was named; everything was rolled back", keep: true, remove: db.Close}, nil
}

// isSame reports whether both are one database of one server.
func isSame(ctx context.Context, original string, copied *database.DB) (bool, error) {
	db, err := database.Open(original, database.Options{MaxConns: 1})
	if err != nil {
		return false, err
	}
	defer db.Close()
	var identity [2]string
	for i, d := range []*database.DB{db, copied} {
		query := "SELECT oid::text || ' ' || extract(epoch FROM pg_postmaster_start_time()) FROM pg_database WHERE datname = current_database()"
		if err := d.SQL().QueryRowContext(ctx, query).Scan(&identity[i]); err != nil {
			return false, err
		}
	}
	return identity[0] == identity[1], nil
}

// copyPostgres makes a database beside the original, as a template if nobody is
// connected to it, else with pg_dump and psql.
func copyPostgres(ctx context.Context, rawURL string, say func(string)) (*scratch, error) {
	name, err := databaseName(rawURL)
	if err != nil {
		return nil, err
	}
	admin, err := openAdmin(ctx, rawURL)
	if err != nil {
		return nil, err
	}
	copied := Prefix + strings.ToLower(rand.Text())
	remove := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), removeTimeout)
		defer cancel()
		return errors.Join(drop(ctx, admin, copied), admin.Close())
	}
	fail := func(err error) (*scratch, error) { return nil, errors.Join(err, remove()) }
	how := "a copy made from the database as a template"
	used, err := asTemplate(ctx, admin, name, copied)
	if err == nil && used {
		how = "a copy made with pg_dump"
		if say != nil {
			say("others are connected to the database: it is copied with pg_dump")
		}
		err = dumpAndRestore(ctx, admin, rawURL, copied)
	}
	if err != nil {
		return fail(err)
	}
	db, err := database.Open(withDatabase(rawURL, copied), database.Options{})
	if err != nil {
		return fail(err)
	}
	return &scratch{db: db, how: how, remove: func() error { return errors.Join(db.Close(), remove()) }}, nil
}

// drop removes a copy, if it was made at all.
func drop(ctx context.Context, admin *database.DB, copied string) error {
	var made bool
	err := admin.SQL().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", copied).Scan(&made)
	if err == nil && made {
		_, err = admin.SQL().ExecContext(ctx, "DROP DATABASE IF EXISTS "+copied+" WITH (FORCE)")
	}
	if err != nil {
		return &LeftError{copied, err}
	}
	return nil
}

// asTemplate makes the copy from the original as a template, unless others use the
// original. It looks first: the server would wait five seconds for them to leave,
// and let nobody new in meanwhile.
func asTemplate(ctx context.Context, admin *database.DB, name, copied string) (used bool, err error) {
	for until := time.Now().Add(leave); ; {
		used, err = inUse(ctx, admin, name)
		if err != nil || used && time.Now().After(until) {
			return used, err
		}
		if !used {
			break
		}
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case <-time.After(leave / 20):
		}
	}
	_, err = admin.SQL().ExecContext(ctx, "CREATE DATABASE "+copied+" TEMPLATE "+script.Quote(name))
	if database.IsInUse(err) {
		return true, nil
	}
	if err != nil {
		err = fmt.Errorf("make a database for the copy (or name a copy with --copy): %w", err)
	}
	return false, err
}

// inUse reports whether anyone is connected to a database. An autovacuum worker
// does not count: the server stops it. What kind a session is, it hides from those
// who are not the session's user; such a one counts.
func inUse(ctx context.Context, admin *database.DB, name string) (used bool, err error) {
	err = admin.SQL().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
		WHERE datname = $1 AND backend_type IS DISTINCT FROM 'autovacuum worker')`, name).Scan(&used)
	return used, err
}

// openAdmin connects to another database of the server: a connection to the
// original would keep it from being a template.
func openAdmin(ctx context.Context, rawURL string) (*database.DB, error) {
	var failed error
	for _, name := range []string{"postgres", "template1"} {
		db, err := database.Open(withDatabase(rawURL, name), database.Options{MaxConns: 1})
		if err != nil {
			return nil, err
		}
		if err = db.Ping(ctx); err == nil {
			return db, nil
		}
		failed = errors.Join(err, db.Close())
	}
	return nil, fmt.Errorf("to make a copy, the server's database postgres or template1 is needed (or name a copy with --copy): %w", failed)
}

// databaseName returns the database that a URL names.
func databaseName(rawURL string) (string, error) {
	u, err := database.ParseURL(rawURL)
	if err != nil {
		return "", err
	}
	name := strings.TrimPrefix(u.Path, "/")
	if given := u.Query().Get("dbname"); given != "" {
		name = given
	}
	if name == "" {
		return "", errors.New("the database URL must name the database to rehearse on a copy of it")
	}
	return name, nil
}

// withDatabase returns a URL with another database. The URL was read before.
func withDatabase(rawURL, name string) string {
	u, err := database.ParseURL(rawURL)
	if err != nil {
		return rawURL
	}
	u.Path, u.RawPath = "/"+name, ""
	q := u.Query()
	q.Del("dbname")
	u.RawQuery = q.Encode()
	return u.String()
}
