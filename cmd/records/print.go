package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
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

// result prints v as JSON, or the text. A name that somebody gave goes into it by %q,
// which does to it what printable does.
func (p printer) result(v any, format string, args ...any) error {
	if p.asJSON {
		e := json.NewEncoder(p.to)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	}
	_, err := fmt.Fprintf(p.to, format+"\n", args...)
	return err
}

// table prints v as JSON, or rows of printable cells under a heading.
func (p printer) table(v any, heading []string, rows [][]string) error {
	if p.asJSON {
		return p.result(v, "")
	}
	t := tabwriter.NewWriter(p.to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(heading, "\t"))
	for _, cells := range rows {
		for i := range cells {
			cells[i] = printable(cells[i])
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// unquoted is what a quoted text has instead of its own quotes and backslashes.
var unquoted = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// printable returns s for a terminal, on one line: what unicode.IsPrint refuses is
// escaped as in Go, so that a name can neither feign a line nor steer the terminal.
func printable(s string) string {
	quoted := strconv.Quote(s)
	return unquoted.Replace(quoted[1 : len(quoted)-1])
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
