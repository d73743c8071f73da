package main

import (
	"runtime/debug"

	"github.com/spf13/cobra"

	"records/config"
)

// newRoot is every subcommand. Settings are flags of all of them.
func newRoot() *cobra.Command {
	root := newGroup("records", "Workspace Records: a multi-tenant API for business records")
	root.SilenceErrors = true // main prints the one line
	root.SilenceUsage = true
	root.DisableSuggestions = true
	root.Version = version()
	config.Flags(root.PersistentFlags())
	root.PersistentFlags().Bool("json", false, "print the result as JSON")
	root.AddCommand(
		newServe(),
		newMigrate(),
		newRowSecurity(),
		newWorkspace(),
		newKey(),
		newImport(),
		newSeed(),
		newDoctor(),
		newBackup(),
		newRestore(),
		newCarryOver(),
	)
	return root
}

// version is the release that the program was built from, or the commit behind
// it. Go takes it from the repository's tags.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

// newGroup is a command that only holds others. It runs, to show its help, so
// that cobra refuses an unknown subcommand instead of showing the help for it.
func newGroup(use, short string) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
}
