package prove

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"records/ent/rule"
	"records/internal/apikey"
	"records/internal/viewer"
)

// mint gives a workspace another key, which is good for a while, or for ever if
// that is 0.
func (w *world) mint(s *space, scope viewer.Scope, good time.Duration) error {
	one := &key{number: len(s.keys), scope: scope}
	request := apikey.Request{Workspace: s.id, Name: s.canary, Scope: scope}
	if good != 0 {
		expires := time.Now().Add(good)
		request.Expires, one.changed, one.revoked = &expires, expires, true
	}
	created, token, err := apikey.Create(rule.AsOperator(s.ctx), w.server.Ent, request)
	if err != nil {
		return err
	}
	w.watch.own("", created.ID.String(), nobody)
	one.id, one.token = created.ID, token
	s.keys = append(s.keys, one)
	return nil
}

// changeKey rescopes, revokes or mints a key.
func (k *worker) changeKey(s *space) error {
	const most = 8 // keys of a workspace, the revoked ones too
	if len(s.keys) > most {
		s.keys = slices.Delete(s.keys, 1, 2)
	}
	one := s.keys[1+k.IntN(len(s.keys)-1)]
	var err error
	switch k.IntN(3) {
	case 0:
		k.note("%s mints a key", s.canary)
		return k.mint(s, pick(k, []viewer.Scope{viewer.Read, viewer.Write}), pick(k, []time.Duration{0, 0, -settled, settled}))
	case 1:
		other := map[viewer.Scope]viewer.Scope{viewer.Read: viewer.Write, viewer.Write: viewer.Read}[one.scope]
		err = apikey.SetScope(rule.AsOperator(s.ctx), k.server.Ent, one.id, other)
		if ended := errors.Is(err, apikey.ErrRevoked) || errors.Is(err, apikey.ErrExpired); ended && one.revoked {
			return nil // it stays as it is
		}
		one.scope = other
	default:
		one.revoked, err = true, apikey.Revoke(rule.AsOperator(s.ctx), k.server.Ent, one.id)
	}
	one.changed = time.Now()
	k.watch.count("keys changed")
	k.note("%s key %d is now %s, revoked %t", s.canary, one.number, one.scope, one.revoked)
	return err
}

// someKey is a key whose last change must hold by now.
func (k *worker) someKey(s *space) *key {
	if one := pick(k, s.keys); k.IntN(3) > 0 && one.settled() && (!one.revoked || k.IntN(4) == 0) {
		return one
	}
	return s.main
}

// lastChanges waits until the last change of every key must hold, and looks
// whether it does.
func (k *worker) lastChanges() error {
	for _, s := range k.own {
		for _, one := range s.keys {
			time.Sleep(time.Until(one.changed.Add(settled)))
			r := k.all[0]
			for _, a := range []*ask{k.list(s, r), k.remove(s, r, k.foreign(r.spec.Plural))} {
				a.key, a.token = one, one.token
				if err := k.run(a); err != nil {
					return fmt.Errorf("a changed key: %w", err)
				}
			}
		}
	}
	return nil
}
