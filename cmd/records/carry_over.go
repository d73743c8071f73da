package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"records/ent/rule"
	"records/internal/backup"
	"records/internal/database"
)

func newCarryOver() *cobra.Command {
	cmd := &cobra.Command{
		Use: "carry-over --from URL", Short: "Take from a restored database what was taken away since the backup", Args: cobra.NoArgs, RunE: runCarryOver,
		Long: `Take from the database that database.url names, which was restored, what was taken
away since the backup: keys that were revoked, expire earlier or may only read now,
members who were removed or have another role, passwords that were changed,
invitations that were used. Nobody stays signed in. Do it before a server starts on
the restored database.

--from is the database that went on after the backup, or a later copy of its tables
workspaces, api_keys, members, users, invitations and audit_events. Where there is
none any more, --revoke-keys ends every key and every open invitation instead.

"records restore" does this by itself with the embedded database that it replaces.`,
	}
	cmd.Flags().String("from", "", "the `URL` of the database that knows what was taken away, as in database.url")
	cmd.Flags().Bool("revoke-keys", false, "where nobody knows: revoke every key and every open invitation")
	cmd.MarkFlagsMutuallyExclusive("from", "revoke-keys")
	return cmd
}

func runCarryOver(cmd *cobra.Command, _ []string) error {
	from, revokeAll := flag(cmd, "from"), flag(cmd, "revoke-keys") == "true"
	if from == "" && !revokeAll {
		return errors.New("say which database knows what was taken away since the backup, by --from; or, where there is none, --revoke-keys")
	}
	a, err := open(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	if revokeAll {
		keys, err := backup.RevokeAll(rule.AsOperator(cmd.Context()), a.client)
		if err != nil {
			return err
		}
		return a.print.result(map[string]any{"revoked": keys}, "Revoked %d keys, and every open invitation. Nobody is signed in any more.\nMembers are those of the backup, with their passwords of then: look them through.", keys)
	}
	there, err := database.Open(from, database.Options{MustExist: true})
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	defer there.Close()
	rows, err := backup.CarryOver(cmd.Context(), a.db, there)
	if err != nil {
		return err
	}
	return a.print.result(map[string]any{"carried_over": rows}, "Took away what was taken away since the backup, from %d rows. Nobody is signed in any more.", rows)
}
