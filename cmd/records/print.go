package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"records/internal/rest"
)

// printer writes a command's result to standard output: for people, or with
// --json for scripts. Logs go to standard error, so that the two never mix.
type printer struct {
	to     io.Writer
	asJSON bool
}

// printerOf writes where the command does, in the form that it is asked for.
func printerOf(cmd *cobra.Command) printer {
	return printer{cmd.OutOrStdout(), flag(cmd, "json") == "true"}
}

// result prints v as JSON, or the text.
func (p printer) result(v any, format string, args ...any) error {
	if p.asJSON {
		e := json.NewEncoder(p.to)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	}
	_, err := fmt.Fprintf(p.to, format+"\n", args...)
	return err
}

// table prints v as JSON, or rows under a heading.
func (p printer) table(v any, heading string, rows []string) error {
	if p.asJSON {
		return p.result(v, "")
	}
	t := tabwriter.NewWriter(p.to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, heading)
	for _, r := range rows {
		fmt.Fprintln(t, r)
	}
	return t.Flush()
}

// moment is a time that is printed as the API does, or null.
type moment struct{ *time.Time }

// MarshalJSON implements json.Marshaler.
func (m moment) MarshalJSON() ([]byte, error) {
	return rest.AppendNullable(nil, m.Time, rest.AppendTimestamp), nil
}

// or returns the time for people, to the second, or what stands for none.
func (m moment) or(none string) string {
	if m.Time == nil {
		return none
	}
	return m.UTC().Format(time.RFC3339)
}
