package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
)

// The bounds of a password, in characters (NIST SP 800-63B, section 3.1.1.2).
const (
	MinPassword = 12
	MaxPassword = 256
)

// cost of a password's hash: what OWASP's cheat sheet on password storage names
// as the least for Argon2id.
var cost = &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// nobody is the hash, at that cost, of a password that nobody has.
const nobody = "$argon2id$v=19$m=19456,t=2,p=1$nJ0ZKCdXhtGbPlZ1bXnGbA$b3ZTGTNLdZJYEmYw3NYpQmkGHDPxoLpn0mjDv8iLf2c"

// hashing bounds how many passwords are hashed at a time, each of which takes 19 MiB.
var hashing = make(chan struct{}, 4)

// hashed is how often that was done since the start.
var hashed atomic.Int64

// CheckPassword returns what is wrong with a password that somebody chooses. about
// is what others know of them: their name and address.
func CheckPassword(password string, about ...string) error {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		return errors.New("must be valid UTF-8")
	case n < MinPassword:
		return fmt.Errorf("must have %d characters or more", MinPassword)
	case n > MaxPassword:
		return fmt.Errorf("must have %d characters or less", MaxPassword)
	case isCommon(password):
		return errors.New("is one of those that are tried first; choose another one, such as four words")
	case isAbout(password, about):
		return errors.New("must be more than your name or your email address")
	}
	return nil
}

// isAbout reports whether a password is little more than what is known of its owner.
func isAbout(password string, about []string) bool {
	folded := strings.ToLower(password)
	for _, known := range about {
		name, domain, _ := strings.Cut(strings.ToLower(known), "@")
		for _, part := range []string{strings.ToLower(known), name, domain} {
			if utf8.RuneCountInString(part) < 4 {
				continue
			}
			if rest := strings.ReplaceAll(folded, part, ""); len(rest) < len(folded) && utf8.RuneCountInString(rest) < 6 {
				return true
			}
		}
	}
	return false
}

// isCommon reports whether a password is a well-known one, or a run of the same few.
func isCommon(password string) bool {
	folded := strings.ToLower(password)
	for n := 1; n <= 4; n++ { // the same one to four characters, over and over
		runes := []rune(folded)
		if len(runes) > n && string(runes[n:]) == string(runes[:len(runes)-n]) {
			return true
		}
	}
	return slices.Contains(common, folded)
}

// common are the passwords of twelve characters and more that the lists of leaked
// ones begin with.
var common = []string{
	"123456789012", "1234567890123", "12345678901234", "123456789012345", "1234567890123456", "0123456789012",
	"1234567890qwerty", "123456qwerty", "123qweasdzxc", "1q2w3e4r5t6y", "1q2w3e4r5t6y7u", "1qaz2wsx3edc", "1qaz2wsx3edc4rfv",
	"abcdefghijkl", "abcdefghijklm", "abcdefghijklmnop", "abcdefghijklmnopqrstuvwxyz", "abcdef123456", "abcd12345678",
	"administrator", "administrator1", "changeme1234", "changemenow1", "correcthorsebatterystaple", "contrasena123",
	"iloveyou1234", "iloveyouforever", "letmein12345", "letmeinplease", "mypassword12", "mypassword123", "newpassword1",
	"password1234", "password12345", "password123456", "password1234567890", "password2024", "password2025", "password2026",
	"passwordpassword", "passw0rd1234", "p@ssw0rd1234", "p@ssword1234", "p@ssw0rd123!", "password123!", "password1234!",
	"princess1234", "qazwsxedcrfv", "qazwsxedc123", "qwertyuiop12", "qwertyuiop123", "qwertyuiop[]", "qwertyuiopasdf",
	"qwertyuiopasdfghjkl", "qwerty123456", "qwerty1234567890", "qwerty12345678", "q1w2e3r4t5y6", "starwars1234",
	"superman1234", "trustno1trustno1", "welcome12345", "welcome123456", "workspacerecords", "workspace records", "zaq12wsxcde3",
}

// matches reports whether a password is the one of a hash.
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
		hashed.Add(1)
		return nil
	case <-ctx.Done():
		return errors.Join(errors.New("waiting to hash a password"), ctx.Err())
	}
}
