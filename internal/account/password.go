package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"records/ent"
	"records/ent/rule"
	"records/ent/user"
)

// The bounds of a password, in characters (NIST SP 800-63B, section 3.1.1.2).
const (
	MinPassword = 12
	MaxPassword = 256
)

// cost of a password's hash: what OWASP's cheat sheet on password storage names
// as the least for Argon2id.
var cost = &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashing bounds how many passwords are hashed at a time, each of which takes 19 MiB.
var hashing = make(chan struct{}, 4)

// CheckPassword returns what is wrong with a password that somebody chooses.
func CheckPassword(password string) error {
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		return fmt.Errorf("must have %d characters or more", MinPassword)
	case n > MaxPassword:
		return fmt.Errorf("must have %d characters or less", MaxPassword)
	}
	return nil
}

// SignIn returns the user with an email address and a password, or ErrRefused. It
// takes as long where there is no such user.
func SignIn(ctx context.Context, client *ent.Client, email, password string) (*ent.User, error) {
	ctx = rule.AsOperator(ctx)
	u, err := client.User.Query().Where(user.Email(normal(email))).Only(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return nil, err
	}
	hash := nobody
	if err == nil && u.PasswordHash != nil {
		hash = *u.PasswordHash
	}
	matches, hashErr := matches(ctx, password, hash)
	switch {
	case hashErr != nil:
		return nil, hashErr
	case !matches || err != nil || u.PasswordHash == nil:
		return nil, ErrRefused
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	return u, client.User.Update().Where(user.ID(u.ID)).SetSignedInAt(now).Exec(ctx)
}

// normal is an email address as it is kept.
func normal(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// nobody is the hash of a password that nobody has.
var nobody = func() string {
	hash, err := argon2id.CreateHash("", cost)
	if err != nil {
		panic(err) // no randomness
	}
	return hash
}()

func matches(ctx context.Context, password, hash string) (bool, error) {
	if utf8.RuneCountInString(password) > MaxPassword {
		return false, nil
	}
	if err := turn(ctx); err != nil {
		return false, err
	}
	defer func() { <-hashing }()
	return argon2id.ComparePasswordAndHash(password, hash)
}

func hashOf(ctx context.Context, password string) (string, error) {
	if err := turn(ctx); err != nil {
		return "", err
	}
	defer func() { <-hashing }()
	return argon2id.CreateHash(password, cost)
}

func turn(ctx context.Context) error {
	select {
	case hashing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return errors.Join(errors.New("waiting to hash a password"), ctx.Err())
	}
}
