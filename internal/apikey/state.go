package apikey

import (
	"time"

	"entgo.io/ent/dialect/sql"

	"records/ent"
	"records/ent/apikey"
)

// State is where a key is in its life.
type State string

// The states of a key.
const (
	Active   State = "active"
	Expiring State = "expiring" // soon
	Expired  State = "expired"
	Revoked  State = "revoked"
)

// soon is how long before its end a key is said to expire soon.
const soon = 7 * 24 * time.Hour

// StateOf returns where a key is in its life at a moment.
func StateOf(key *ent.APIKey, now time.Time) State {
	switch {
	case key.RevokedAt != nil:
		return Revoked
	case key.ExpiresAt == nil:
		return Active
	case !key.ExpiresAt.After(now):
		return Expired
	case key.ExpiresAt.Before(now.Add(soon)):
		return Expiring
	}
	return Active
}

// Ended reports whether a key of the state opens nothing any more.
func (s State) Ended() bool { return s == Expired || s == Revoked }

// EndedLast puts the keys that open nothing any more at a moment after all others.
func EndedLast(now time.Time) apikey.OrderOption {
	return func(s *sql.Selector) {
		s.OrderExpr(sql.ExprFunc(func(b *sql.Builder) {
			b.WriteString("CASE WHEN ").Ident(s.C(apikey.FieldRevokedAt)).WriteString(" IS NOT NULL OR ").
				Ident(s.C(apikey.FieldExpiresAt)).WriteString(" <= ").Arg(now.UTC()).WriteString(" THEN 1 ELSE 0 END")
		}))
	}
}
