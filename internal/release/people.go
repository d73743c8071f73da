package main

import (
	"context"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/viewer"
)

// people makes, in a workspace, one of all that the developer area keeps: with
// everything set where it can be, and with nothing but what must be.
func people(ctx context.Context, client *ent.Client, w *ent.Workspace) error {
	ctx = rule.AsOperator(ctx)
	at := time.Date(2001, 2, 3, 4, 5, 6, 7e6, time.UTC)
	mark := w.ID.String()
	whole, err := client.User.Create().SetEmail("a-" + mark + "@example.com").SetName("Añá 🥨").SetPasswordHash("$argon2id$").
		SetIssuer("https://id.example.com").SetSubject(mark).SetSignedInAt(at).Save(ctx)
	if err != nil {
		return err
	}
	bare, err := client.User.Create().SetEmail("b-" + mark + "@example.com").SetName("b").Save(ctx)
	if err != nil {
		return err
	}
	key, err := client.APIKey.Create().SetWorkspaceID(w.ID).SetCreatedBy(whole.ID).SetName("by a person").SetScope(string(viewer.Read)).
		SetHash("h" + mark).SetPrefix("wrk_12345678").Save(ctx)
	if err != nil {
		return err
	}
	for i, u := range []*ent.User{whole, bare} {
		if err := client.Member.Create().SetWorkspaceID(w.ID).SetUserID(u.ID).SetRole(string(viewer.Roles[i])).Exec(ctx); err != nil {
			return err
		}
	}
	invitation := func() *ent.InvitationCreate {
		return client.Invitation.Create().SetWorkspaceID(w.ID).SetHash(uuid.NewString()).SetRole(string(viewer.RoleOwner)).SetExpiresAt(at)
	}
	session := func() *ent.SessionCreate {
		return client.Session.Create().SetHash(uuid.NewString()).SetData([]byte(`{"values":{}}`)).SetExpiresAt(at)
	}
	event := func() *ent.AuditEventCreate {
		return client.AuditEvent.Create().SetWorkspaceID(w.ID).SetAction("key.created").SetDetail("é")
	}
	for _, create := range []interface{ Exec(context.Context) error }{
		invitation(), invitation().SetUserID(whole.ID).SetEmail("c@example.com").SetAcceptedAt(at).SetRevokedAt(at),
		session(), session().SetUserID(whole.ID).SetAddress("192.0.2.1").SetAgent("A browser"),
		event(), event().SetUserID(whole.ID).SetKeyID(key.ID),
	} {
		if err := create.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}
