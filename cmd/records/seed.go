package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"records/ent"
	"records/ent/rule"
	"records/ent/workspace"
	"records/internal/database"
	"records/internal/load"
)

// demoWorkspace is the name of the workspace that seed makes.
const demoWorkspace = "Demo"

func newSeed() *cobra.Command {
	return &cobra.Command{Use: "seed", Short: "Make a demo workspace with believable data, unless it is there", Args: cobra.NoArgs, RunE: runSeed}
}

func runSeed(cmd *cobra.Command, _ []string) error {
	a, err := open(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	w, n, err := a.seed(cmd.Context())
	if err != nil {
		return err
	}
	return a.print.result(map[string]any{"workspace": w.Name, "workspace_id": w.ID, "created": n},
		"Workspace %q: created %d records.", w.Name, n)
}

// seed makes the demo workspace and its records in one transaction. Where there
// is one already, it creates nothing.
func (a *app) seed(ctx context.Context) (*ent.Workspace, int, error) {
	for {
		w, err := a.client.Workspace.Query().Where(workspace.Name(demoWorkspace)).Only(rule.AsOperator(ctx))
		if !ent.IsNotFound(err) {
			return w, 0, err
		}
		w, n, err := a.makeDemo(ctx)
		if !errors.Is(err, errDemoIsThere) {
			return w, n, err
		}
	}
}

// errDemoIsThere: another process has just made the demo workspace.
var errDemoIsThere = errors.New("the demo workspace is there already")

func (a *app) makeDemo(ctx context.Context) (*ent.Workspace, int, error) {
	tx, err := a.client.Tx(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	w, err := tx.Workspace.Create().SetName(demoWorkspace).Save(rule.AsOperator(ctx))
	if database.IsUniqueViolation(err) {
		return nil, 0, errDemoIsThere
	}
	if err != nil {
		return nil, 0, err
	}
	n, err := load.Demo(writer(ctx, w), tx.Client())
	if err != nil {
		return nil, 0, err
	}
	return w, n, tx.Commit()
}
