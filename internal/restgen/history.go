package restgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/entc/gen"

	"records/internal/scalar"
)

// history is what migrate/diff has to know of a schema beyond its table: where
// it stands, what its annotations say of records that are there already, the
// kinds of its fields, of which several have one type of column, and their
// defaults, as they would stand in a body.
type history struct {
	Table, File                         string
	Kinds, Defaults, Backfills, Renames []past
}

// past is what is said of a column.
type past struct{ Column, Value string }

func historyOf(g *gen.Graph) (all []history) {
	for _, t := range g.Nodes {
		h := history{Table: t.Table(), File: file(t)}
		for _, f := range t.Fields {
			a := fieldOf(f)
			if k, ok := kindOf(f); ok && resourceOf(t).Record && !slices.Contains(serverSet, f.Name) {
				h.Kinds = append(h.Kinds, past{f.Name, k.stored()})
				if value := defaultOf(f, k); value != "" {
					h.Defaults = append(h.Defaults, past{f.Name, value})
				}
			}
			if a.Backfill != nil {
				h.Backfills = append(h.Backfills, past{f.Name, *a.Backfill})
			}
			if a.RenamedFrom != "" {
				h.Renames = append(h.Renames, past{f.Name, a.RenamedFrom})
			}
		}
		all = append(all, h)
	}
	return all
}

// defaultOf is the default of a field in JSON, "" where there is none that is
// known before the program runs.
func defaultOf(f *gen.Field, k kind) string {
	if !f.Default || f.DefaultFunc() || f.DefaultValue() == nil {
		return ""
	}
	value, err := json.Marshal(f.DefaultValue())
	if err != nil {
		return ""
	}
	if k != duration {
		return string(value)
	}
	// Ent has it in nanoseconds, of which a body could say no fraction of a second.
	n, err := strconv.ParseInt(string(value), 10, 64)
	if length := time.Duration(n); err == nil && n >= 0 && length%time.Second == 0 {
		return strconv.Quote(string(scalar.AppendDuration(nil, length)))
	}
	return strconv.Quote(string(value) + "ns")
}

// historyFaults finds what the annotations cannot mean.
func historyFaults(t *gen.Type) (faults []string) {
	former := map[string]string{}
	for _, f := range t.Fields {
		a := fieldOf(f)
		if a.Backfill != nil {
			faults = append(faults, backfillFaults(t, f, *a.Backfill)...)
		}
		if a.RenamedFrom == "" {
			continue
		}
		name := t.Name + "." + f.Name
		if slices.ContainsFunc(t.Fields, func(f *gen.Field) bool { return f.Name == a.RenamedFrom }) {
			faults = append(faults, fmt.Sprintf("%s is RenamedFrom(%q), which is a field still: remove the annotation, or the field; if another field takes that name, write two migrations, first this one's, and remove the annotation before the other's", name, a.RenamedFrom))
		}
		if other := former[a.RenamedFrom]; other != "" {
			faults = append(faults, fmt.Sprintf("%s is RenamedFrom(%q), and so is %s: only one can have its values; remove the annotation from the other", name, a.RenamedFrom, other))
		}
		former[a.RenamedFrom] = name
	}
	return faults
}

func backfillFaults(t *gen.Type, f *gen.Field, value string) []string {
	switch name := t.Name + "." + f.Name; {
	case f.Optional:
		return []string{fmt.Sprintf("%s has a Backfill and is optional, so that old records need none: remove annotation.Backfill, or Optional().Nillable()", name)}
	case value == "":
		return []string{fmt.Sprintf("%s has an empty Backfill, which is null in a CSV file: give a value", name)}
	case strings.ContainsAny(value, "\r\n"):
		return []string{fmt.Sprintf("%s has a Backfill of several lines: give one line", name)}
	}
	return nil
}
