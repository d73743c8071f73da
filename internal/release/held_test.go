package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// Version 1 only gains, and a released migration is never touched.
func TestNothingReleasedIsBroken(t *testing.T) {
	t.Parallel()
	broken, err := here.broken("")
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range broken {
		t.Errorf("%s\nSee docs/release.md.", what)
	}
}

func TestChangedMigrations(t *testing.T) {
	t.Parallel()
	const first, second, third = "sqlite/20260101000000_a.sql", "postgres/20260202000000_b.sql", "postgres/20260303000000_c.sql"
	folder := func(names ...string) fstest.MapFS {
		all := fstest.MapFS{"sqlite/atlas.sum": {Data: []byte("h1:")}}
		for _, name := range names {
			all[name] = &fstest.MapFile{Data: []byte("-- " + name)}
		}
		return all
	}
	read := func(folder fstest.MapFS) sums {
		t.Helper()
		s, err := sumsOf(folder)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	released, err := parseSums(read(folder(first, second)).String())
	if err != nil {
		t.Fatal(err)
	}
	edited := folder(first, second)
	edited[first].Data = append(edited[first].Data, " and more"...)
	for name, c := range map[string]struct {
		now  fstest.MapFS
		want string
	}{
		"as it was": {folder(first, second), ""},
		"one more":  {folder(first, second, third), ""},
		"edited":    {edited, "migrate/" + first + " was released and has been edited"},
		"removed":   {folder(first), "migrate/" + second + " was released and is gone"},
		"renamed":   {folder(first, third), "migrate/" + second + " was released and is gone"},
		"too old":   {folder(first, second, "sqlite/20260201000000_late.sql"), "migrate/sqlite/20260201000000_late.sql is new, but older than 20260202000000"},
	} {
		whats, err := released.changed(read(c.now))
		if all := strings.Join(whats, "\n"); err != nil || (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
			t.Errorf("%s: %q, %v; want %q", name, all, err, c.want)
		}
	}
}

// A record holds the values that an upgrade could harm.
func TestRecordHoldsTheEdges(t *testing.T) {
	eachRelease(t, func(t *testing.T, r released) {
		values := map[string][]any{}
		longest := 0
		for line := range strings.Lines(string(r.file(t, "answers.ndjson"))) {
			var answer struct {
				Resource string
				Record   map[string]any
			}
			d := json.NewDecoder(strings.NewReader(line))
			d.UseNumber()
			if err := d.Decode(&answer); err != nil {
				t.Fatal(err)
			}
			for name, value := range answer.Record {
				at := answer.Resource + "." + name
				values[at] = append(values[at], value)
				if s, ok := value.(string); ok {
					longest = max(longest, utf8.RuneCountInString(s))
				}
			}
		}
		if longest != 65536 {
			t.Errorf("the longest text has %d characters", longest)
		}
		for at, want := range map[string][]any{
			"deals.value":       {nil, json.Number("0"), json.Number("0.0001"), json.Number("999999999999999.9999"), json.Number("-999999999999999.9999")},
			"tasks.due_date":    {nil, "0001-01-01", "2024-02-29", "9999-12-31"},
			"tasks.assignee_id": {nil, "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
			"invoices.paid_at":  {nil, "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"},
			"contacts.phone":    {nil, "", strings.Repeat("x", 64), "  spaces\tand\r\nlines\u00a0\u0001 "},
			"companies.name":    {strings.Repeat("x", 255), "Ünï¢ødé 漢字 🥨 e\u0301 \u202eעברית\u202c"},
		} {
			for _, value := range want {
				if !slices.Contains(values[at], value) {
					t.Errorf("no record has %.40v in %s", value, at)
				}
			}
		}
	})
}
