package database_test

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

// amount is a type that a schema may give a field: it knows its own column form.
type amount int64

func (a amount) Value() (driver.Value, error) { return int64(a) * 10_000, nil }

func TestArgumentsReachTheServer(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.Postgres)
	run(t, db, `CREATE TABLE args (id uuid, ref uuid, text varchar, n bigint, f float8, b bool, at timestamptz, day date, cents bigint, raw bytea, doc jsonb)`)
	id, at := uuid.New(), time.Date(2026, 2, 3, 4, 5, 6, 789e6, time.FixedZone("", 3600))
	insert := `INSERT INTO args VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	run(t, db, insert, id, (*uuid.UUID)(nil), "it's\n€", 1<<40, 0.1, true, at, at, amount(7), []byte{0, 255}, json.RawMessage(`{"a":1}`))

	var (
		gotID    uuid.UUID
		ref      uuid.NullUUID
		text     string
		n, cents int64
		f        float64
		b        bool
		gotAt    time.Time
		day      time.Time
		raw, doc []byte
	)
	row := db.SQL().QueryRowContext(t.Context(), `SELECT * FROM args WHERE id = $1 AND at = $2 AND ref IS NULL`, id, at)
	if err := row.Scan(&gotID, &ref, &text, &n, &f, &b, &gotAt, &day, &cents, &raw, &doc); err != nil {
		t.Fatal(err)
	}
	if gotID != id || ref.Valid || text != "it's\n€" || n != 1<<40 || f != 0.1 || !b || cents != 70_000 ||
		string(raw) != "\x00\xff" || string(doc) != `{"a": 1}` {
		t.Error(gotID, ref, text, n, f, b, cents, raw, string(doc))
	}
	if !gotAt.Equal(at) || gotAt.Location() != time.UTC || day.Format(time.DateOnly) != "2026-02-03" {
		t.Error(gotAt, day)
	}
}

func TestSessionSettings(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	for name, test := range map[string]struct{ params, setting, want string }{
		"time zone":          {"", "timezone", "UTC"},
		"time zone is fixed": {"&TimeZone=Asia/Tokyo", "timezone", "UTC"},
		"name":               {"", "application_name", "records"},
		"name given":         {"&application_name=import", "application_name", "import"},
		"any setting":        {"&statement_timeout=1234", "statement_timeout", "1234ms"},
	} {
		db := dbtest.OpenURL(t, url+test.params)
		got, err := query(t.Context(), db.Driver(), "SHOW "+test.setting)
		if err != nil || len(got) != 1 || got[0] != test.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Connections that the server has closed while they were idle are not handed out:
// a write on them would be lost.
func TestClosedConnectionsAreNotUsed(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]func(*testing.T, string) string{
		"tcp":  func(_ *testing.T, url string) string { return url },
		"unix": overSocket,
		"tls":  overTLS,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, dialect.Postgres)
			direct := dbtest.OpenURL(t, url)
			run(t, direct, things)
			db := dbtest.OpenURL(t, way(t, url)+"&application_name=closed")
			for range 3 {
				fillPool(t, db)
				run(t, direct, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'closed'`)
				time.Sleep(200 * time.Millisecond) // until the news has arrived
				if _, err := db.SQL().ExecContext(t.Context(), insertThing, uuid.New(), uuid.NewString()); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// fillPool makes the pool hold as many idle connections as it may.
func fillPool(t *testing.T, db *database.DB) {
	t.Helper()
	for range db.SQL().Stats().MaxOpenConnections {
		conn, err := db.SQL().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
}

// What goes wrong before a statement is sent does not spoil the pool.
func TestUnsendableStatement(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.Postgres)
	many := make([]any, 70_000)
	if _, err := db.SQL().ExecContext(t.Context(), "INSERT INTO t VALUES ($1)", many...); err == nil || errors.Is(err, database.ErrOutcomeUnknown) {
		t.Error(err)
	}
	for range 5 {
		if err := db.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// The server ends the session in the middle of a write.
func TestTerminatedWriteIsUnknown(t *testing.T) {
	t.Parallel()
	b := newBroken(t)
	_, err := b.db.SQL().ExecContext(t.Context(), `INSERT INTO notes SELECT 'x' FROM (SELECT pg_terminate_backend(pg_backend_pid())) t`)
	if !errors.Is(err, database.ErrOutcomeUnknown) || errors.Is(err, driver.ErrBadConn) {
		t.Error(err)
	}
}

func TestPasswordStaysOutOfErrors(t *testing.T) {
	t.Parallel()
	u := parse(t, dbtest.URL(t, dialect.Postgres))
	u.User = url.UserPassword(u.User.Username(), "s3cret")
	u.Path = "/records_test_absent"
	err := dbtest.OpenURL(t, u.String()).Ping(t.Context())
	if !database.IsUnavailable(err) || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}
