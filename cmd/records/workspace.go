package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"records/ent"
	"records/ent/rule"
	"records/ent/workspace"
	"records/internal/database"
	"records/internal/scalar"
	"records/internal/viewer"
)

type workspaceJSON struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	CreatedAt moment `json:"created_at"`
}

func newWorkspace() *cobra.Command {
	cmd := newGroup("workspace", "Workspaces: the owners of records")
	invitation := &cobra.Command{Use: "invite NAME", Short: "Make a link, good once, by which somebody becomes a member", Args: cobra.ExactArgs(1), RunE: invite}
	invitation.Flags().String("role", string(viewer.RoleOwner), "owner, developer or viewer")
	invitation.Flags().String("email", "", "whom the link is for (default anyone who has it)")
	cmd.AddCommand(
		invitation,
		&cobra.Command{Use: "create NAME", Short: "Create a workspace", Args: cobra.ExactArgs(1), RunE: createWorkspace},
		&cobra.Command{Use: "list", Short: "List the workspaces", Args: cobra.NoArgs, RunE: listWorkspaces},
	)
	return cmd
}

func createWorkspace(cmd *cobra.Command, args []string) error {
	if err := scalar.CheckName(args[0]); err != nil {
		return fmt.Errorf("the workspace's name %w", err)
	}
	if _, err := scalar.ParseUUID(args[0]); err == nil {
		return errors.New("the workspace's name must not be a UUID: commands take one for a workspace's id")
	}
	a, err := open(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	w, err := a.client.Workspace.Create().SetName(args[0]).Save(rule.AsOperator(cmd.Context()))
	if database.IsUniqueViolation(err) {
		return fmt.Errorf("there is a workspace %q already", args[0])
	}
	if err != nil {
		return err
	}
	return a.print.result(showWorkspace(w), "Created workspace %q (%s).", w.Name, w.ID)
}

func listWorkspaces(cmd *cobra.Command, _ []string) error {
	a, err := open(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	all, err := a.client.Workspace.Query().Order(ent.Asc(workspace.FieldName)).All(rule.AsOperator(cmd.Context()))
	if err != nil {
		return err
	}
	shown, rows := make([]workspaceJSON, len(all)), make([][]string, len(all))
	for i, w := range all {
		shown[i] = showWorkspace(w)
		rows[i] = []string{w.ID.String(), w.Name}
	}
	return a.print.table(shown, []string{"ID", "NAME"}, rows)
}

func showWorkspace(w *ent.Workspace) workspaceJSON {
	return workspaceJSON{w.ID.String(), w.Name, moment{&w.CreatedAt}}
}
