package apikey

import (
	"time"

	"records/ent"
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
