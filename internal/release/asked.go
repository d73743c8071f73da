package main

import (
	"context"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
)

// asked makes, of a key, what the program keeps of its requests.
func asked(ctx context.Context, client *ent.Client, key *ent.APIKey) error {
	ctx = rule.AsOperator(ctx)
	at := time.Date(2001, 2, 3, 4, 5, 0, 0, time.UTC)
	err := client.KeyTraffic.Create().SetWorkspaceID(key.WorkspaceID).SetKeyID(key.ID).SetStart(at).SetSeconds(60).
		SetStatus(200).SetRequests(1 << 40).Exec(ctx)
	if err != nil {
		return err
	}
	return client.RefusedRequest.Create().SetID(uuid.Must(uuid.NewV7())).SetWorkspaceID(key.WorkspaceID).SetKeyID(key.ID).SetAt(at).
		SetStatus(404).SetCode("not_found").SetMethod("GET").SetRoute("").SetRequestID("é").Exec(ctx)
}
