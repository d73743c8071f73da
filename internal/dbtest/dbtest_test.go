package dbtest

import (
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"

	"records/internal/database"
	"records/migrate"
)

// A test has a migrated database that no other test sees.
func TestDatabasesAreMigratedAndPrivate(t *testing.T) {
	t.Parallel()
	Each(t, func(t *testing.T, db *database.DB) {
		standing, err := migrate.Embedded.Compare(t.Context(), db)
		if err != nil || len(standing.Pending) != 0 {
			t.Errorf("pending: %v, %v", standing.Pending, err)
		}
		if _, err := db.SQL().ExecContext(t.Context(), "CREATE TABLE mine (x int)"); err != nil {
			t.Fatal(err)
		}
		other := Open(t, db.Dialect())
		if _, err := other.SQL().ExecContext(t.Context(), "SELECT * FROM mine"); err == nil {
			t.Error("two tests share a database")
		}
	})
}

// What a process left behind is dropped by the next one, and nothing else is.
func TestStaleDatabasesAreSwept(t *testing.T) {
	t.Parallel()
	_ = postgresURL(t)
	s, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	stale := prefix + "0000002a_1_template"
	if _, err := s.admin.ExecContext(t.Context(), "CREATE DATABASE "+stale); err != nil {
		t.Fatal(err)
	}
	role := prefix + "0000002a_1_app"
	if _, err := s.admin.ExecContext(t.Context(), "CREATE ROLE "+role); err != nil {
		t.Fatal(err)
	}
	if err := s.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	names, err := s.databases(t.Context())
	if err != nil || slices.Contains(names, stale) || !slices.Contains(names, s.template()) {
		t.Error(names, err)
	}
	if left, err := s.names(t.Context(), "SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)"); err != nil || slices.Contains(left, role) {
		t.Error(left, err)
	}
}

// A test has a Redis database that is empty and that no other test sees.
func TestRedisIsEmptyAndPrivate(t *testing.T) {
	t.Parallel()
	var clients []*redis.Client
	for range 3 {
		options, err := redis.ParseURL(Redis(t))
		if err != nil {
			t.Fatal(err)
		}
		client := redis.NewClient(options)
		t.Cleanup(func() { _ = client.Close() })
		clients = append(clients, client)
	}
	for _, client := range clients {
		if n, err := client.DBSize(t.Context()).Result(); err != nil || n != 0 {
			t.Error(n, err)
		}
		if err := client.Set(t.Context(), "key", "value", 0).Err(); err != nil {
			t.Error(err)
		}
	}
}
