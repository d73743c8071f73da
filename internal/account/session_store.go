package account

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/alexedwards/scs/v2"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/ent/session"
)

// Visit is the browser that uses a session.
type Visit struct {
	Address string
	Agent   string // what the browser calls itself; it may hold anything
}

// visit goes with a request's context, for scs hands the store nothing else.
type visit struct {
	Visit
	found string // the hash of the session that is in the database, "" for none
}

type visitKey struct{}

func visitOf(ctx context.Context) *visit {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v
	}
	return &visit{}
}

// agent is what the browser calls itself, as the database takes it.
func (v *visit) agent() string {
	const most = 255 // characters, of the column
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(v.Agent, "?"))
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most])
	}
	return text
}

// store keeps sessions in the database, by the hash of their token. It implements
// scs.CtxStore; scs calls the methods with a context alone.
type store struct {
	scs.Store
	client *ent.Client
}

// FindCtx implements scs.CtxStore.
func (s store) FindCtx(ctx context.Context, hash string) ([]byte, bool, error) {
	row, err := s.client.Session.Query().Where(session.Hash(hash), session.ExpiresAtGT(now())).Only(rule.AsOperator(ctx))
	if ent.IsNotFound(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	visitOf(ctx).found = hash
	if row.UserID != nil && time.Since(row.LastUsedAt) >= touchEvery {
		s.touch(ctx, row)
	}
	return row.Data, true, nil
}

// touch notes that a session is in use, once a minute whatever goes on in it. A
// database that takes no writes still shows pages: that the note failed is nothing.
func (s store) touch(ctx context.Context, row *ent.Session) {
	data, err := decode(row.Data)
	if err != nil {
		return
	}
	at, v := now(), visitOf(ctx)
	_ = s.client.Session.Update().
		Where(session.ID(row.ID), session.LastUsedAtLTE(at.Add(-touchEvery))).
		SetLastUsedAt(at).SetAddress(v.Address).SetAgent(v.agent()).
		SetExpiresAt(expiry(at, data)).
		Exec(rule.AsOperator(ctx))
}

// CommitCtx implements scs.CtxStore. A session that was there and is no more has
// been ended, and stays so: ErrEnded.
func (s store) CommitCtx(ctx context.Context, hash string, b []byte, _ time.Time) error {
	data, err := decode(b)
	if err != nil {
		return err
	}
	at, v, user := now(), visitOf(ctx), data.user()
	ctx = rule.AsOperator(ctx)
	if hash != v.found {
		v.found = hash
		return s.client.Session.Create().SetHash(hash).SetData(b).SetNillableUserID(user).SetExpiresAt(expiry(at, data)).
			SetAddress(v.Address).SetAgent(v.agent()).SetLastUsedAt(at).Exec(ctx)
	}
	n, err := s.client.Session.Update().Where(session.Hash(hash)).SetData(b).SetExpiresAt(expiry(at, data)).SetLastUsedAt(at).Save(ctx)
	if err == nil && n == 0 {
		err = ErrEnded
	}
	return err
}

// DeleteCtx implements scs.CtxStore.
func (s store) DeleteCtx(ctx context.Context, hash string) error {
	_, err := s.client.Session.Delete().Where(session.Hash(hash)).Exec(rule.AsOperator(ctx))
	return err
}

// expiry is when a session that is used now ends if it is not used again.
func expiry(at time.Time, data sessionData) time.Time {
	idle := sessionIdle
	if data.user() == nil {
		idle = visitorLife
	}
	if end := at.Add(idle); end.Before(data.Deadline) {
		return end
	}
	return data.Deadline.UTC()
}

// jsonCodec keeps a session's values as JSON, which the store looks into.
type jsonCodec struct{}

type sessionData struct {
	Deadline time.Time      `json:"deadline"`
	Values   map[string]any `json:"values"`
}

// Encode implements scs.Codec.
func (jsonCodec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	return json.Marshal(sessionData{deadline, values})
}

// Decode implements scs.Codec.
func (jsonCodec) Decode(b []byte) (time.Time, map[string]any, error) {
	d, err := decode(b)
	return d.Deadline, d.Values, err
}

func decode(b []byte) (sessionData, error) {
	var d sessionData
	err := json.Unmarshal(b, &d)
	return d, err
}

// user returns who is signed in, nil if nobody is.
func (d sessionData) user() *uuid.UUID {
	text, _ := d.Values[userKey].(string)
	id, err := uuid.Parse(text)
	if err != nil {
		return nil
	}
	return &id
}
