package account

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/ent/session"
)

// sessionLife is how long somebody stays signed in.
const sessionLife = 14 * 24 * time.Hour

// userKey names who is signed in, among a session's values.
const userKey = "user"

// Sessions keeps who is signed in where. It is safe for concurrent use.
type Sessions struct{ *scs.SessionManager }

// NewSessions returns those that are kept in the database. The cookie is sent over
// TLS alone, or to this very machine.
func NewSessions(client *ent.Client) Sessions {
	m := scs.New()
	m.Store, m.Codec, m.HashTokenInStore = store{client: client}, jsonCodec{}, true
	m.Lifetime = sessionLife
	m.Cookie.Name, m.Cookie.Secure, m.Cookie.HttpOnly, m.Cookie.SameSite = "records_session", true, true, http.SameSiteLaxMode
	return Sessions{m}
}

// Begin signs a user in, under a new token: one that somebody else knew before
// opens nothing.
func (s Sessions) Begin(ctx context.Context, user uuid.UUID) error {
	if err := s.RenewToken(ctx); err != nil {
		return err
	}
	s.Put(ctx, userKey, user.String())
	return nil
}

// User returns who is signed in; false if nobody is.
func (s Sessions) User(ctx context.Context) (uuid.UUID, bool) {
	id, err := uuid.Parse(s.GetString(ctx, userKey))
	return id, err == nil
}

// jsonCodec keeps a session's values as JSON, which store looks into.
type jsonCodec struct{}

type sessionData struct {
	Deadline time.Time      `json:"deadline"`
	Values   map[string]any `json:"values"`
}

func (jsonCodec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	return json.Marshal(sessionData{deadline, values})
}

func (jsonCodec) Decode(b []byte) (time.Time, map[string]any, error) {
	var d sessionData
	err := json.Unmarshal(b, &d)
	return d.Deadline, d.Values, err
}

// store keeps sessions in the database, by the hash of their token. It implements
// scs.CtxStore; scs calls the methods with a context alone.
type store struct {
	scs.Store
	client *ent.Client
}

// FindCtx implements scs.CtxStore.
func (s store) FindCtx(ctx context.Context, hash string) ([]byte, bool, error) {
	row, err := s.client.Session.Query().Where(session.Hash(hash), session.ExpiresAtGT(time.Now().UTC())).Only(rule.AsOperator(ctx))
	if ent.IsNotFound(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return row.Data, true, nil
}

// CommitCtx implements scs.CtxStore.
func (s store) CommitCtx(ctx context.Context, hash string, data []byte, expiry time.Time) error {
	ctx = rule.AsOperator(ctx)
	user := userOf(data)
	n, err := s.client.Session.Update().Where(session.Hash(hash)).SetData(data).SetNillableUserID(user).SetExpiresAt(expiry.UTC()).SetLastUsedAt(time.Now().UTC()).Save(ctx)
	if err != nil || n > 0 {
		return err
	}
	return s.client.Session.Create().SetHash(hash).SetData(data).SetNillableUserID(user).SetExpiresAt(expiry.UTC()).Exec(ctx)
}

// DeleteCtx implements scs.CtxStore.
func (s store) DeleteCtx(ctx context.Context, hash string) error {
	_, err := s.client.Session.Delete().Where(session.Hash(hash)).Exec(rule.AsOperator(ctx))
	return err
}

func userOf(data []byte) *uuid.UUID {
	var d sessionData
	if json.Unmarshal(data, &d) != nil {
		return nil
	}
	text, _ := d.Values[userKey].(string)
	id, err := uuid.Parse(text)
	if err != nil {
		return nil
	}
	return &id
}
