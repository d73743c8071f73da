package doctor_test

import (
	"database/sql"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/gofrs/flock"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/doctor"
	"records/migrate"
)

// deployed opens a database as the server does.
func deployed(t *testing.T, url string) doctor.Deployment {
	t.Helper()
	c := healthy()
	db, err := database.Open(url, database.Options{MaxConns: 4, StatementTimeout: 10 * time.Second, LockTimeout: 4 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return doctor.Deployment{Config: c, DB: db}
}

// judge opens a database, judges it and leaves it: a server that is told to stop waits
// for connections that are left open.
func judge(t *testing.T, url string) ([]doctor.Fault, error) {
	t.Helper()
	d := deployed(t, url)
	defer d.DB.Close()
	return doctor.Visit(t.Context(), d, false)
}

func migrated(t *testing.T, url string) string {
	t.Helper()
	if _, err := migrate.Up(t.Context(), dbtest.OpenURL(t, url)); err != nil {
		t.Fatal(err)
	}
	return url
}

func as(c *dbtest.Cluster, user, database, sslmode string) string {
	return strings.NewReplacer("postgres@", user+"@", "/postgres?", "/"+database+"?", "sslmode=disable", "sslmode="+sslmode).Replace(c.URL)
}

func exec(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// A server as it is installed is healthy; each thing that is wrong with one is found.
func TestServer(t *testing.T) {
	t.Parallel()
	c := dbtest.NewCluster(t, "max_connections=40")
	admin := dbtest.OpenURL(t, c.URL).SQL()
	url := migrated(t, c.URL)
	found(t, deployed(t, url))

	d := deployed(t, url)
	d.Config.Database.MaxConnections = 38
	found(t, d, "database.max_connections is 38, and the server lets in 37")

	// Where nothing is set it is what the program opens then. It is found with the
	// connections that there are, although another check would open more.
	exec(t, admin, "CREATE ROLE narrow LOGIN CONNECTION LIMIT 2", "GRANT pg_read_all_data, pg_write_all_data TO narrow")
	d = deployed(t, as(c, "narrow", "postgres", "disable"))
	d.Config.Database.MaxConnections = 0
	found(t, d, "database.max_connections is 24, and the role may have 2")

	for words, statement := range map[string]string{
		"fsync is off.": "ALTER SYSTEM SET fsync = off", "full_page_writes is off.": "ALTER SYSTEM SET full_page_writes = off",
		"synchronous_commit is off.": "ALTER SYSTEM SET synchronous_commit = off",
		"Transactions only read":     "ALTER DATABASE postgres SET default_transaction_read_only = on",
	} {
		exec(t, admin, statement, "SELECT pg_reload_conf()")
		until(t, func() bool {
			faults, err := judge(t, url)
			return err == nil && len(faults) == 1 && strings.Contains(faults[0].What, words)
		}, words)
		exec(t, admin, "SET default_transaction_read_only = off", "ALTER SYSTEM RESET ALL", "ALTER DATABASE postgres RESET ALL", "SELECT pg_reload_conf()")
		until(t, func() bool {
			faults, err := judge(t, url)
			return err == nil && len(faults) == 0
		}, "nothing")
	}

	found(t, deployed(t, url+"&statement_timeout=5000"), "statement_timeout of the sessions is 5s")
	found(t, deployed(t, url+"&lock_timeout=0"), "Sessions have no lock_timeout")
	found(t, deployed(t, url+"&idle_in_transaction_session_timeout=0"), "Sessions have no idle_in_transaction")
	found(t, deployed(t, url+"&default_transaction_isolation=serializable"), "Transactions of the sessions are serializable")

	exec(t, admin, "CREATE DATABASE bytes ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0",
		"CREATE DATABASE sorted LOCALE_PROVIDER icu ICU_LOCALE 'en' TEMPLATE template0",
		"UPDATE pg_database SET datcollversion = '1' WHERE datname = 'sorted'")
	found(t, deployed(t, migrated(t, as(c, "postgres", "bytes", "disable"))), "keeps text as SQL_ASCII")
	found(t, deployed(t, migrated(t, as(c, "postgres", "sorted", "disable"))), "sorts text in another way")
}

// What a role does not see of the rows is told, and neither counted nor mended; the rest
// is looked at.
func TestRoleThatSeesLess(t *testing.T) {
	t.Parallel()
	c := dbtest.NewCluster(t)
	url := migrated(t, c.URL)
	p := admit(t, dbtest.OpenURL(t, url))
	admin := p.db.SQL()
	exec(t, admin, "CREATE ROLE reader LOGIN", "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO reader", "REVOKE SELECT ON users, key_generations FROM reader",
		"CREATE POLICY theirs ON tasks FOR SELECT TO reader USING (status = 'done')", "ALTER TABLE tasks ENABLE ROW LEVEL SECURITY",
		"UPDATE record_counts SET n = n + 1 WHERE resource = 'deals'")
	d := deployed(t, as(c, "reader", "postgres", "disable"))
	const refused, hidden = "This role may not read key_generations, users.", "Row-level security may hide rows from this role in tasks."
	found(t, d, refused, hidden, " deals, and lists say ")
	faults, err := doctor.Visit(t.Context(), d, true)
	if err != nil || len(faults) != 3 || faults[0].Mended || faults[1].Mended || !faults[2].Mended {
		t.Errorf("mending: %+v, %v", faults, err)
	}
	p.finds(t, false) // who sees all finds the counts of the tasks as they were
	exec(t, admin, "REVOKE SELECT ON record_counts FROM reader")
	found(t, d, "This role may not read key_generations, record_counts, users.", hidden)
	exec(t, admin, "REVOKE SELECT ON schema_history FROM reader")
	found(t, d, "The role reader may not read schema_migrations and schema_history.")
	exec(t, admin, "REVOKE USAGE ON SCHEMA public FROM PUBLIC")
	found(t, d, "The role reader may not use the schema public, in which the tables are.")
}

// What a role may not write is told; to mend it needs some of that, and else nothing is
// mended, and that is told as well.
func TestRoleThatMayNotWrite(t *testing.T) {
	t.Parallel()
	c := dbtest.NewCluster(t)
	url := migrated(t, c.URL)
	p := admit(t, dbtest.OpenURL(t, url))
	admin := p.db.SQL()
	exec(t, admin, "CREATE ROLE reader LOGIN", "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO reader", "REVOKE INSERT, UPDATE, DELETE ON invoices FROM reader")
	d := deployed(t, as(c, "reader", "postgres", "disable"))
	found(t, d)
	exec(t, admin, "REVOKE INSERT, DELETE ON tasks FROM reader")
	const less = "This role lacks INSERT, DELETE on tasks"
	found(t, d, less+".")
	exec(t, admin, "UPDATE record_counts SET n = n + 1 WHERE resource = 'deals'")
	mends := func(mended bool, words ...string) {
		t.Helper()
		faults, err := doctor.Visit(t.Context(), d, true)
		if err != nil || len(faults) != len(words) {
			t.Fatalf("%+v, %v; want %q", faults, err, words)
		}
		for i, f := range faults {
			if !strings.Contains(f.What, words[i]) || f.Mended != (mended && f.Check == "counts") {
				t.Errorf("%+v, want %q", f, words[i])
			}
		}
	}
	exec(t, admin, "REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public FROM reader")
	const cannot = "Nothing is put right: for that this role lacks INSERT on key_generations; INSERT, UPDATE on record_counts."
	mends(false, "INSERT, UPDATE on record_counts; ", cannot, " deals, and lists say ")
	exec(t, admin, "ALTER TABLE record_counts RENAME TO away")
	mends(false, "The table record_counts is missing.")
	exec(t, admin, "ALTER TABLE away RENAME TO record_counts", "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO reader")
	mends(true, " deals, and lists say ")
}

// Behind a pooler that shares sessions, statements must not be kept, and it takes no
// limits.
func TestPooler(t *testing.T) {
	t.Parallel()
	c := dbtest.NewCluster(t)
	url := migrated(t, c.URL)
	for mode, words := range map[string][]string{
		"transaction": {"Sessions have no statement_timeout", "Sessions have no lock_timeout", "Sessions have no idle_in", "a pooler in front of the server shares"},
		"session":     {"Sessions have no statement_timeout", "Sessions have no lock_timeout", "Sessions have no idle_in"},
	} {
		through := dbtest.PgBouncer(t, url, mode)
		found(t, deployed(t, through), words...)
		d := deployed(t, through)
		d.Config.Database.StatementCache = 0
		found(t, d, words[:3]...)
	}
	exec(t, dbtest.OpenURL(t, c.URL).SQL(), "ALTER ROLE postgres SET statement_timeout = '10s'", "ALTER ROLE postgres SET lock_timeout = '4s'",
		"ALTER ROLE postgres SET idle_in_transaction_session_timeout = '10s'")
	d := deployed(t, dbtest.PgBouncer(t, url, "transaction")) // as docs/operations.md says
	d.Config.Database.StatementCache = 0
	found(t, d)
}

// Why a database cannot be reached is said in a sentence.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	c := dbtest.NewCluster(t, "max_connections=10", "superuser_reserved_connections=3")
	admin := dbtest.OpenURL(t, c.URL).SQL()
	exec(t, admin, "CREATE ROLE anna LOGIN PASSWORD 'right'", "CREATE ROLE bert LOGIN", "CREATE DATABASE closed", "REVOKE CONNECT ON DATABASE closed FROM PUBLIC")
	script := fmt.Sprintf("sed -i '1i host all anna 127.0.0.1/32 scram-sha-256' '%s/pg_hba.conf'", c.Data())
	if cmd, err := c.Shell(t.Context(), script); err != nil || cmd.Run() != nil {
		t.Fatal(err)
	}
	exec(t, admin, "SELECT pg_reload_conf()", "CREATE DATABASE loaded", "ALTER DATABASE loaded SET session_replication_role = replica")
	frozen := dbtest.NewProxy(t, c.URL)
	frozen.Freeze()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := gone.Addr().String()
	gone.Close()
	for words, url := range map[string]string{
		"refuses the password":      as(c, "anna:s3cret", "postgres", "disable"),
		"refuses the user":          as(c, "nobody:s3cret", "postgres", "disable"),
		"no database of that name":  as(c, "postgres", "none", "disable"),
		"may not connect":           as(c, "bert", "closed", "disable"),
		"Sessions fire no triggers": as(c, "postgres", "loaded", "disable"),
		"has no TLS":                as(c, "postgres", "postgres", "require"),
		"Nothing listens":           "postgres://u:s3cret@" + address + "/db?sslmode=disable",
		"The host records.invalid":  "postgres://u:s3cret@records.invalid/db",
		"does not answer in time":   frozen.URL() + "&connect_timeout=1",
	} {
		until(t, func() bool { // pg_reload_conf takes a moment
			faults, err := judge(t, url)
			return err == nil && len(faults) == 1 && strings.Contains(faults[0].What, words) && !strings.Contains(faults[0].What, "s3cret")
		}, words)
	}

	full := dbtest.OpenURL(t, as(c, "bert", "postgres", "disable")).SQL()
	full.SetMaxOpenConns(0)
	var held []*sql.Conn
	for {
		conn, err := full.Conn(t.Context())
		if err != nil {
			break
		}
		held = append(held, conn)
	}
	found(t, deployed(t, as(c, "bert", "postgres", "disable")), "All connections of the database server are in use")
	stopped := make(chan struct{})
	go func() { defer close(stopped); c.Stop(t, syscall.SIGTERM) }() // it waits for those who are connected
	until(t, func() bool {
		faults, err := judge(t, c.URL)
		return err == nil && len(faults) == 1 && strings.Contains(faults[0].What, "starting or stopping")
	}, "starting or stopping")
	for _, conn := range held {
		conn.Close()
	}
	full.Close()
	admin.Close()
	<-stopped
}

// A standby is no server to serve from.
func TestStandby(t *testing.T) {
	t.Parallel()
	primary, standby := dbtest.NewCluster(t), dbtest.ColdCluster(t)
	migrated(t, primary.URL)
	script := fmt.Sprintf("%s/pg_basebackup --dbname='%s' --pgdata='%s' --checkpoint=fast --write-recovery-conf", os.Getenv("TEST_POSTGRES_BIN"), primary.URL, standby.Data())
	cmd, err := standby.Shell(t.Context(), script)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	standby.Start(t)
	found(t, deployed(t, standby.URL), "is a standby")
	if faults, err := doctor.Visit(t.Context(), deployed(t, standby.URL), true); err != nil || len(faults) != 1 || faults[0].Mended {
		t.Errorf("mending: %+v, %v", faults, err)
	}
}

// What is wrong with the migrations of a database is found, and nothing else is
// looked at.
func TestMigrations(t *testing.T) {
	t.Parallel()
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(d, func(t *testing.T) {
			t.Parallel()
			visit := func(url, words string) {
				t.Helper()
				faults, err := judge(t, url)
				if err != nil {
					t.Fatal(err)
				}
				for i, f := range faults {
					if f.Check == "migrations" && strings.Contains(f.What, words) {
						if i != len(faults)-1 && words != "is held" {
							t.Errorf("it was looked further: %+v", faults)
						}
						return
					}
				}
				t.Errorf("found %+v, want %q", faults, words)
			}
			visit(dbtest.EmptyURL(t, d), "Migrations are pending: 20261121073704_initial.sql, ")

			for name, statement := range map[string]string{"cannot": "ALTER TABLE tasks DROP COLUMN priority", "can": "ALTER TABLE tasks ADD COLUMN extra text"} {
				newer := dbtest.URL(t, d)
				next := dbtest.Migrations(t, map[string]string{"20990101000000_" + name + ".sql": statement + ";\n"})
				if _, err := next.Up(t.Context(), dbtest.OpenURL(t, newer), migrate.Options{}); err != nil {
					t.Fatal(err)
				}
				visit(newer, "to 20990101000000_"+name)
			}

			broken := dbtest.URL(t, d)
			exec(t, dbtest.OpenURL(t, broken).SQL(), "ALTER TABLE schema_migrations RENAME COLUMN version_id TO other")
			visit(broken, "cannot be looked at")

			held := dbtest.URL(t, d)
			if d == dialect.SQLite {
				lock := flock.New(strings.TrimPrefix(held, "sqlite:") + migrate.LockSuffix)
				if ok, err := lock.TryLock(); err != nil || !ok {
					t.Fatal(ok, err)
				}
				defer lock.Unlock()
			} else {
				conn, err := dbtest.OpenURL(t, held).SQL().Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if _, err := conn.ExecContext(t.Context(), "SELECT pg_advisory_lock(7265636301)"); err != nil {
					t.Fatal(err)
				}
			}
			visit(held, "is held")
		})
	}
}

// A file that others can read, or that is damaged, is found.
func TestFile(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.SQLite)
	path := strings.TrimPrefix(url, "sqlite:")
	d := deployed(t, url)
	found(t, d)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	found(t, d, "can be read by others")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	exec(t, d.DB.SQL(), "PRAGMA writable_schema = 1", // an index whose pages are those of another
		"UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'member_user_id') WHERE name = 'apikey_workspace_id'")
	if err := d.DB.Close(); err != nil {
		t.Fatal(err)
	}
	faults, err := judge(t, url)
	if err != nil || len(faults) == 0 || !strings.Contains(faults[0].What, "is damaged") {
		t.Errorf("%+v, %v", faults, err)
	}
	linked := dbtest.URL(t, dialect.SQLite)
	path = strings.TrimPrefix(linked, "sqlite:")
	if err := os.Link(path, path+".same"); err != nil {
		t.Fatal(err)
	}
	found(t, deployed(t, linked), "has another name (a hard link)")
	empty := dbtest.EmptyURL(t, dialect.SQLite)
	other, err := sql.Open("sqlite", strings.TrimPrefix(empty, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	exec(t, other, "PRAGMA encoding = 'UTF-16'", "CREATE TABLE _a (b)")
	other.Close()
	if err := os.Chmod(strings.TrimPrefix(empty, "sqlite:"), 0o600); err != nil {
		t.Fatal(err)
	}
	found(t, deployed(t, migrated(t, empty)), "keeps text as UTF-16le")
}

func until(t *testing.T, done func() bool, words string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("not found: %q", words)
			return
		}
	}
}
