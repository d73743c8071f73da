package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"records/internal/database"
)

// server is the PostgreSQL server that the tests of one process share. Its
// databases are named records_test_TAG_PID_…: the process holds an advisory lock
// on the tag as long as it lives, so databases of a free tag are stale.
type server struct {
	url   *url.URL
	admin *sql.DB
	name  string // records_test_TAG_PID
	made  atomic.Int64
}

// connect reaches the server once in a process, clears what earlier processes
// left behind, and makes the migrated template.
var connect = sync.OnceValues(func() (*server, error) {
	u, err := url.Parse(os.Getenv("TEST_POSTGRES_URL"))
	if err != nil {
		return nil, fmt.Errorf("TEST_POSTGRES_URL is not a URL")
	}
	db, err := database.Open(u.String(), database.Options{MaxConns: maxConns})
	if err != nil {
		return nil, err
	}
	tag := rand.Int32()
	s := &server{url: u, admin: db.SQL(), name: fmt.Sprintf("%s%08x_%d", prefix, tag, os.Getpid())}
	ctx := context.Background()
	if err := s.claim(ctx, tag); err != nil {
		return nil, fmt.Errorf("reach TEST_POSTGRES_URL: %w", err)
	}
	if err := s.sweep(ctx); err != nil {
		return nil, err
	}
	if _, err := s.admin.ExecContext(ctx, "CREATE DATABASE "+s.template()); err != nil {
		return nil, err
	}
	return s, migrateURL(ctx, s.database(s.template()))
})

// postgresURL copies the template into a database of the test's own.
func postgresURL(t testing.TB) string {
	t.Helper()
	s := postgresServer(t)
	return s.copy(t, s.template())
}

func postgresServer(t testing.TB) *server {
	t.Helper()
	if os.Getenv("TEST_POSTGRES_URL") == "" {
		t.Fatal("TEST_POSTGRES_URL is not set: run make test")
	}
	s, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// copy copies a template into a database of the test's own, and returns its URL.
func (s *server) copy(t testing.TB, template string) string {
	t.Helper()
	name := fmt.Sprintf("%s_%d", s.name, s.made.Add(1))
	ctx := context.Background() // the test's own has ended when its databases are dropped
	if _, err := s.admin.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := s.admin.ExecContext(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return s.database(name)
}

// template is the name of the migrated database that the others are copies of.
func (s *server) template() string { return s.name + "_template" }

// database returns the URL of a database on the server.
func (s *server) database(name string) string {
	u := *s.url
	u.Path = "/" + name
	return u.String()
}
