package account

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/ent/session"
)

// How long a session lasts (NIST SP 800-63B, section 2.1.3, allows a month).
const (
	sessionLife = 14 * 24 * time.Hour // after signing in, whatever is done
	sessionIdle = 3 * 24 * time.Hour  // without being used
	visitorLife = time.Hour           // before anybody has signed in
	touchEvery  = time.Minute         // how exactly it is known when it was last used
	sweepEvery  = 10 * time.Minute
)

// What a session holds, beside what pages put there for the next one.
const (
	userKey       = "user"
	invitationKey = "invitation"
)

// ErrEnded is returned when what is to be kept belongs to a session that was ended
// meanwhile, in another browser or by signing out.
var ErrEnded = errors.New("the session has ended")

// Sessions keeps who is signed in where. It is safe for concurrent use.
type Sessions struct {
	*scs.SessionManager
	client *ent.Client
}

// NewSessions returns those that are kept in the database. The cookie is sent over
// TLS alone, or to this very machine. With overTLS nobody but this very host can
// have set it, either.
func NewSessions(client *ent.Client, overTLS bool) Sessions {
	m := scs.New()
	m.Store, m.Codec, m.HashTokenInStore = store{client: client}, jsonCodec{}, true
	m.Lifetime = sessionLife
	m.Cookie.Name, m.Cookie.Secure, m.Cookie.HttpOnly, m.Cookie.SameSite = CookieName("records_session", overTLS), true, true, http.SameSiteLaxMode
	return Sessions{m, client}
}

// CookieName is the name of a cookie with the prefix that browsers hold to its
// promise where they can, which is over TLS (RFC 6265bis, section 4.1.3.2).
func CookieName(name string, overTLS bool) string {
	if overTLS {
		return "__Host-" + name
	}
	return name
}

// Load returns a context that holds the session of a token, or a new one.
func (s Sessions) Load(ctx context.Context, token string, v Visit) (context.Context, error) {
	return s.SessionManager.Load(context.WithValue(ctx, visitKey{}, &visit{Visit: v}), token)
}

// Begin signs a user in, under a new token: one that somebody else knew before
// opens nothing. Of what the session held, only an invitation stays.
func (s Sessions) Begin(ctx context.Context, user uuid.UUID) error {
	invitation, invited := s.Invitation(ctx)
	if err := s.RenewToken(ctx); err != nil {
		return err
	}
	if err := s.Clear(ctx); err != nil {
		return err
	}
	if invited {
		s.Invited(ctx, invitation)
	}
	s.Put(ctx, userKey, user.String())
	return nil
}

// User returns who is signed in; false if nobody is.
func (s Sessions) User(ctx context.Context) (uuid.UUID, bool) { return s.id(ctx, userKey) }

// Invited remembers the invitation that somebody has opened.
func (s Sessions) Invited(ctx context.Context, invitation uuid.UUID) {
	s.Put(ctx, invitationKey, invitation.String())
}

// Invitation returns the invitation that was opened; false if there is none.
func (s Sessions) Invitation(ctx context.Context) (uuid.UUID, bool) {
	return s.id(ctx, invitationKey)
}

// ForgetInvitation is for when it was accepted.
func (s Sessions) ForgetInvitation(ctx context.Context) { s.Remove(ctx, invitationKey) }

func (s Sessions) id(ctx context.Context, key string) (uuid.UUID, bool) {
	id, err := uuid.Parse(s.GetString(ctx, key))
	return id, err == nil
}

// Current reports whether a row is the session at hand.
func (s Sessions) Current(ctx context.Context, row *ent.Session) bool {
	return row.Hash == visitOf(ctx).found
}

// EndOthers ends all sessions of who is signed in but the one at hand.
func (s Sessions) EndOthers(ctx context.Context, client *ent.Client) error {
	_, err := client.Session.Delete().Where(session.HashNEQ(visitOf(ctx).found)).Exec(ctx)
	return err
}

// Sweep removes sessions that are over, until the context ends.
func (s Sessions) Sweep(ctx context.Context, failed func(error)) {
	for tick := time.NewTicker(sweepEvery); ; {
		select {
		case <-tick.C:
			if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
				failed(err)
			}
		case <-ctx.Done():
			tick.Stop()
			return
		}
	}
}

func (s Sessions) sweep(ctx context.Context) error {
	_, err := s.client.Session.Delete().Where(session.ExpiresAtLTE(now())).Exec(rule.AsOperator(ctx))
	return err
}
