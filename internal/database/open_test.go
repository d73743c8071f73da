package database_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
)

func TestOpenRefusesFaultyURLs(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"",
		"records.db",
		"mysql://user:s3cret@host/db",
		"postgres:user:s3cret@host",
		"postgres://user:s3cret%zz@host/db",
		"postgres://user:s3cret/more@host/db",
		"postgres://user:s3cret?more@host:port/db",
		"postgres://user:12#s3cret@host/db",
		"postgres://user:s3cret@host:port/db",
		"postgres://user:s3cret@host/db?sslmode=%zz",
		"postgres://user:s3cret@host/db?sslmode=sometimes",
		"postgres://user:s3cret@host/db?connect_timeout=soon",
		"postgres://user:s3cret@host:5432,other:port/db",
		"postgres://user:s3cret@host:5432,/db",
		"postgres://user:s3cret@host:5432,other:65536/db",
		"postgres://user:s3cret@host:1,other:2/db?port=3,4",
		"postgres://user:s3cret@host,other/db?host=third",
		"postgres://user:s3cret@host,other,third/db?port=3,4",
		"postgres://user:s3cret%zz@host,other/db",
		"postgres://user:s3cret@host,other/db?target_session_attrs=standby",
		"postgres://user:s3cret@host,other/db?target_session_attrs=sometimes",
		"postgres://user:s3cret@host/db?target_session_attrs=read-only",
		"postgres://user:s3cret@host,other/db?load_balance_hosts=random",
		"postgres://user:s3cret@/db?host=/tmp,other",
		"sqlite:",
		"sqlite::memory:",
		"sqlite://records.db",
	} {
		db, err := database.Open(url, database.Options{})
		if err == nil {
			_ = db.Close()
			t.Errorf("Open(%q) succeeded", url)
			continue
		}
		if text := err.Error(); strings.Contains(text, "s3cr") || strings.Contains(text, "\n") {
			t.Errorf("Open(%q) answered %q", url, text)
		}
	}
}

func TestOpenNeedsNoServer(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := listener.Addr().String()
	_ = listener.Close()

	db := dbtest.OpenURL(t, "postgres://user:s3cret@"+nobody+"/db?sslmode=disable")
	if db.Dialect() != dialect.Postgres || db.Path() != "" {
		t.Errorf("dialect %q, path %q", db.Dialect(), db.Path())
	}
	begun := time.Now()
	err = db.Ping(t.Context())
	if !database.IsUnavailable(err) || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("Ping: %v", err)
	}
	if took := time.Since(begun); took > time.Second {
		t.Errorf("a refused connection took %s", took)
	}
}

func TestPing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		if err := db.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
