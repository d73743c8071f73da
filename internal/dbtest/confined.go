package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"testing"

	"records/internal/database"
	"records/internal/rowsecurity"
)

// EachConfined is Each with a third kind, "postgres, row-level security". What a
// server stands on is served, whose sessions are confined there; db sees everything,
// and on the other kinds is the same.
func EachConfined(t *testing.T, f func(t *testing.T, db, served *database.DB)) {
	t.Helper()
	Each(t, func(t *testing.T, db *database.DB) { f(t, db, db) })
	t.Run("postgres, row-level security", func(t *testing.T) {
		t.Parallel()
		db, served := Confined(t)
		f(t, db, served)
	})
}

// Confined returns a PostgreSQL database of its own for the test, as its owner and as
// a role that row-level security confines.
func Confined(t testing.TB) (db, served *database.DB) {
	t.Helper()
	owner, role := ConfinedURLs(t)
	asServed := options()
	asServed.Confined = rowsecurity.Tables()
	served, err := database.Open(role, asServed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = served.Close() })
	return OpenURL(t, owner), served
}

// ConfinedURLs returns the URLs of Confined.
func ConfinedURLs(t testing.TB) (owner, role string) {
	t.Helper()
	_ = postgresServer(t)
	s, err := connectConfined()
	if err != nil {
		t.Fatal(err)
	}
	owner = s.copy(t, s.confinedTemplate())
	return owner, as(t, owner, s.role())
}

// as returns a URL with another user in it, who needs no password.
func as(t testing.TB, rawURL, role string) string {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal("not a URL")
	}
	u.User = url.User(role)
	return u.String()
}

// connectConfined makes, once in a process, the role and the template in which it is
// confined.
var connectConfined = sync.OnceValues(func() (*server, error) {
	s, err := connect()
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	for _, statement := range []string{
		"CREATE ROLE " + s.role() + " LOGIN",
		"CREATE DATABASE " + s.confinedTemplate() + " TEMPLATE " + s.template(),
	} {
		if _, err := s.admin.ExecContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	db, err := database.Open(s.database(s.confinedTemplate()), database.Options{MaxConns: maxConns})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if _, err := db.SQL().ExecContext(ctx, fmt.Sprintf("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO %s", s.role())); err != nil {
		return nil, err
	}
	return s, rowsecurity.On(ctx, db, 0, s.role())
})

// role is confined in the copies of the second template.
func (s *server) role() string { return s.name + "_app" }

func (s *server) confinedTemplate() string { return s.name + "_confined" }
