package account

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"records/ent"
	"records/ent/rule"
)

// Mark is what a browser keeps in which a user has signed in with a password: who
// tries the passwords of others cannot use up the attempts of such a browser. It
// opens nothing, and ends with the password. "" for a user without one.
func Mark(u *ent.User) string {
	if u.PasswordHash == nil {
		return ""
	}
	name := rand.Text()
	return name + "." + markOf(u, name)
}

// Marked returns the name of a browser that has a mark of the user with an email
// address; false if it has none.
func Marked(ctx context.Context, client *ent.Client, email, mark string) (name string, ok bool, err error) {
	name, proof, found := strings.Cut(mark, ".")
	if !found {
		return "", false, nil
	}
	u, err := withAddress(rule.AsOperator(ctx), client, email)
	if err != nil || u == nil || u.PasswordHash == nil {
		return "", false, err
	}
	return name, hmac.Equal([]byte(proof), []byte(markOf(u, name))), nil
}

// markOf needs the hash of the password, which nobody outside of the database knows.
func markOf(u *ent.User, name string) string {
	h := hmac.New(sha256.New, []byte(*u.PasswordHash))
	h.Write([]byte("browser " + u.ID.String() + " " + name))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
