package main

import (
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"records/config"
	"records/internal/backup"
	"records/internal/database"
)

func newBackup() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Copy an embedded database into a new file, while it serves", Args: cobra.ExactArgs(1), RunE: runBackup,
		Long: `Copy an embedded database into a new file, as it is at one moment, while others read
and write. The copy is looked through before it gets its name. It holds the hashes of
keys and passwords: keep it as you keep the database.

PostgreSQL has its own tools for that: see docs/operations.md.`,
	}
}

func runBackup(cmd *cobra.Command, args []string) error {
	a, err := openUnchecked(cmd, database.Options{MustExist: true})
	if err != nil {
		return err
	}
	defer a.db.Close()
	if err := backup.Write(cmd.Context(), a.db, args[0]); err != nil {
		return err
	}
	info, err := os.Stat(args[0])
	if err != nil {
		return err
	}
	return a.print.result(map[string]any{"file": args[0], "bytes": info.Size()}, "Wrote %s, %d bytes.", args[0], info.Size())
}

func newRestore() *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Put a backup in the place of an embedded database", Args: cobra.ExactArgs(1), RunE: runRestore,
		Long: `Put a backup in the place of the embedded database that database.url names. Stop the
server first. The backup stays as it is; the database that was there is kept beside it,
under another name.

A backup knows nothing of what was taken away since: keys that were revoked, expire
earlier or may only read now, members who were removed, passwords that were changed.
That is carried over from the database that is there. Nobody stays signed in.`,
	}
	cmd.Flags().Bool("forget", false, "carry nothing over, where the database that is there cannot be read or knows nothing: revoke by hand what was revoked since")
	return cmd
}

func runRestore(cmd *cobra.Command, args []string) error {
	c, err := config.Load(cmd.Flags())
	if err != nil {
		return err
	}
	path, ok := strings.CutPrefix(c.Database.URL, "sqlite:")
	if !ok {
		return backup.ErrPostgres
	}
	restored, err := backup.Restore(cmd.Context(), args[0], path, backup.Options{Forget: flag(cmd, "forget") == "true", Now: time.Now()})
	if errors.Is(err, database.ErrInUse) {
		return database.ErrInUse
	}
	if err != nil {
		return err
	}
	text := "Restored " + args[0] + "."
	if restored.Before != "" {
		text += "\nWhat was there is now " + restored.Before + "."
	}
	if !restored.Told {
		text += "\nNobody knew what was taken away since the backup: keys that were revoked since are open again, and members who were removed are back. Revoke them, or every key with `records carry-over --revoke-keys`."
	}
	return printerOf(cmd).result(map[string]any{"file": args[0], "before": restored.Before, "told": restored.Told, "carried_over": restored.Carried}, "%s", text)
}
