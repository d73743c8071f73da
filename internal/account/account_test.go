package account

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"records/ent"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/database"
	"records/internal/dbtest"
)

// Whoever asks about an address cannot tell by the work whether there is such a user.
func TestTheSameWorkForEverybody(t *testing.T) {
	params, _, _, err := argon2id.DecodeHash(nobody)
	if err != nil || *params != *cost {
		t.Fatalf("nobody's hash costs %v, %v; want %v", params, err, cost)
	}
	for _, dialect := range []string{"sqlite3", "postgres"} { // one by one, for they are counted
		client := ent.NewClient(ent.Driver(dbtest.Open(t, dialect).Driver()))
		const password = "correct horse battery staple"
		u, err := CreateUser(t.Context(), client, NewUser{Email: "a@example.com", Name: "A", Password: password})
		if err != nil {
			t.Fatal(err)
		}
		without, err := client.User.Create().SetEmail("b@example.com").SetName("B").SetIssuer("i").SetSubject("s").Save(rule.AsOperator(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		for _, email := range []string{u.Email, without.Email, "nobody@example.com", "no address", ""} {
			before := hashed.Load()
			if _, err := SignIn(t.Context(), client, email, "a wrong password"); !errors.Is(err, ErrRefused) {
				t.Errorf("%q: %v", email, err)
			}
			if n := hashed.Load() - before; n != 1 {
				t.Errorf("%q: %d passwords hashed, want 1", email, n)
			}
			if _, err := SignIn(t.Context(), client, email, ""); !errors.Is(err, ErrRefused) {
				t.Errorf("%q without a password: %v", email, err)
			}
		}
		if got, err := SignIn(t.Context(), client, " A@Example.COM ", password); err != nil || got.ID != u.ID {
			t.Errorf("the right one: %v", err)
		}
	}
}

func TestCheckPassword(t *testing.T) {
	for password, want := range map[string]string{
		"elevenchars":               "12 characters",
		strings.Repeat("xyzuv", 52): "256 characters",
		"PASSWORD1234":              "tried first",
		"aaaaaaaaaaaa":              "tried first",
		"abcabcabcabcab":            "tried first",
		"Ann.Example1":              "more than your name",
		"ann.example@example.com":   "more than your name",
		"Ann Example!":              "more than your name",
		"correct horse battery":     "",
		"пароль из слов":            "",
		"ann.example likes horses":  "",
	} {
		err := CheckPassword(password, "ann.example@example.com", "Ann Example")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", password, err, want)
		}
	}
}

// Sessions that are over are removed, and no others.
func TestSweep(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		client, ctx := ent.NewClient(ent.Driver(db.Driver())), rule.AsOperator(t.Context())
		for hash, left := range map[string]time.Duration{"over": -time.Second, "good": time.Hour} {
			if err := client.Session.Create().SetHash(hash).SetData([]byte("{}")).SetExpiresAt(time.Now().Add(left).UTC()).Exec(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if err := NewSessions(client, false).sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left, err := client.Session.Query().All(ctx); err != nil || len(left) != 1 || left[0].Hash != "good" {
			t.Errorf("left %v, %v", left, err)
		}
	})
}
