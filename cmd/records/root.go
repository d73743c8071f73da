package main

import (
	"github.com/spf13/cobra"

	"records/config"
)

// newRoot is every subcommand. Settings are flags of all of them.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:                "records",
		Short:              "Workspace Records: a multi-tenant API for business records",
		SilenceErrors:      true, // main prints the one line
		SilenceUsage:       true,
		DisableSuggestions: true,
		Args:               cobra.NoArgs,
	}
	config.Flags(root.PersistentFlags())
	root.PersistentFlags().Bool("json", false, "print the result as JSON")
	root.AddCommand(
		newServe(),
		newMigrate(),
		newWorkspace(),
		newKey(),
		newImport(),
		newSeed(),
	)
	return root
}
