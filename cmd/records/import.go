package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"records/internal/database"
	"records/internal/load"
)

func newImport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import RESOURCE FILE --workspace NAME",
		Short: "Create records from a file of NDJSON or CSV, all of them or none",
		Args:  cobra.ExactArgs(2),
		RunE:  runImport,
	}
	cmd.Flags().String("workspace", "", "the workspace's name or id")
	cmd.Flags().String("format", "", "ndjson or csv (default: by the file's name)")
	require(cmd, "workspace")
	return cmd
}

func runImport(cmd *cobra.Command, args []string) error {
	plural, name := args[0], args[1]
	format, err := formatOf(name, flag(cmd, "format"))
	if err != nil {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	defer context.AfterFunc(cmd.Context(), func() { _ = file.Close() })() // a pipe may say nothing for ever
	a, err := open(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	w, err := a.workspace(cmd.Context(), flag(cmd, "workspace"))
	if err != nil {
		return err
	}
	n, err := load.Import(writer(cmd.Context(), w), a.client, plural, withProgress(file), format)
	switch {
	case errors.Is(err, database.ErrOutcomeUnknown):
		return fmt.Errorf("%s may have been imported; look before you repeat it: %w", filepath.Base(name), err)
	case err != nil:
		return fmt.Errorf("nothing was imported: %s: %w", filepath.Base(name), err)
	}
	return a.print.result(map[string]int{"created": n}, "Created %d %s in workspace %q.", n, plural, w.Name)
}

// formatOf is the format asked for, or the one that the file's name tells.
func formatOf(name, asked string) (load.Format, error) {
	format := asked
	if asked == "" {
		format = strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	}
	switch {
	case format == "csv":
		return load.CSV, nil
	case format == "ndjson", format == "jsonl":
		return load.NDJSON, nil
	case asked != "":
		return "", fmt.Errorf("--format: want csv or ndjson, not %q", asked)
	default:
		return "", fmt.Errorf("cannot tell the format of %s: name it .ndjson or .csv, or say --format", filepath.Base(name))
	}
}

// withProgress shows on a terminal how much of the file has been read.
func withProgress(file *os.File) io.Reader {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return file
	}
	size := int64(-1)
	if info, err := file.Stat(); err == nil {
		size = info.Size()
	}
	return progress{file, progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish())}
}

// progress is a file that can be read again, and a bar that follows.
type progress struct {
	*os.File
	bar *progressbar.ProgressBar
}

// Read implements io.Reader.
func (p progress) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	_ = p.bar.Add(n) // beyond the end when the file is read again
	return n, err
}
