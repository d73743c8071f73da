package load

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/internal/rest"
	"records/internal/scalar"
)

// However many records there are, a field that is unique has another value in
// each, which it takes: its examples first, then what is like them.
func TestDistinctValuesDiffer(t *testing.T) {
	t.Parallel()
	capitals := func(s string) error {
		if s != strings.ToUpper(s) {
			return errCapitals
		}
		return nil
	}
	matches := func(pattern string) func(string) error {
		return func(s string) error {
			if !regexp.MustCompile(pattern).MatchString(s) {
				return errPattern
			}
			return nil
		}
	}
	for _, f := range []rest.Field{
		rest.Text("pattern", new(rest.Value[string]), 8, matches("^[A-Z]{3}-[0-9]{4}$")).Example("ABC-0001", "ABC-0002"),
		rest.Text("hex", new(rest.Value[string]), 3, matches("^[a-f]x[0-9]$")).Example("fx9", "fx2", "ax0", "bx0", "fx0", "fx1", "fx5"),
		rest.Text("month", new(rest.Value[string]), 5, matches("^(0[1-9]|1[0-2])/[0-9]{2}$")).Example("02/26"),
		rest.Text("code", new(rest.Value[string]), 12, capitals).Example("AB-1", "CD-2"),
		rest.Text("short", new(rest.Value[string]), 2).Example("x"),
		rest.Integer("number", new(rest.Value[int16])).Example("1", "2", "3"),
		rest.Decimal("amount", new(rest.Value[scalar.Decimal])).Example("9.99"),
		rest.Duration("length", new(rest.Value[time.Duration])).Example("PT1H30M"),
		rest.Duration("wait", new(rest.Value[time.Duration]), atMostADay).Example("PT24H", "PT1H1M1S"),
		rest.Date("day", new(rest.Value[scalar.Date])).Example("2026-12-01"),
		rest.UUID("owner_id", new(rest.Value[uuid.UUID])).Example("0190163d-8694-739b-aea5-966c26f8ad90"),
	} {
		seen := map[string]bool{}
		for i := range 30 {
			v := distinct(f, i)
			same := v // as the database has it
			if d, err := scalar.ParseDuration(v); err == nil {
				same = d.String()
			}
			if _, err := f.Parse(Cell(f, v)); err != nil || seen[same] {
				t.Errorf("%s: %d is %q: seen %t, %v", f.Name, i, v, seen[same], err)
			}
			seen[v], seen[same] = true, true
		}
		if !seen[f.Examples[0]] {
			t.Errorf("%s: its example is not among %v", f.Name, seen)
		}
	}
	enum := rest.Enum("kind", new(rest.Value[string]), "a", "b").Example("a", "b")
	if v := distinct(enum, 2); v != "a" {
		t.Errorf("an enum has no further value, and %q was made up", v)
	}
}

type constantError string

func (e constantError) Error() string { return string(e) }

const errPattern = constantError("must match the pattern")

const errDay = constantError("must be at most a day")

func atMostADay(n int64) error {
	if n > int64(24*time.Hour) {
		return errDay
	}
	return nil
}

const errCapitals = constantError("must be in capitals")

// A record is left out if one with the values of any unique index is there, and
// then takes none of them up. Null differs from null.
func TestClashes(t *testing.T) {
	t.Parallel()
	unique, taken := [][]string{{"kind"}, {"code", "year"}}, map[string]bool{}
	for _, test := range []struct {
		body map[string]any
		want bool
	}{
		{map[string]any{"kind": "a", "code": 1, "year": 2026}, false},
		{map[string]any{"kind": "a", "code": 2, "year": 2026}, true},
		{map[string]any{"kind": "b", "code": 1, "year": 2026}, true},
		{map[string]any{"kind": "b", "code": 2, "year": 2026}, false},
		{map[string]any{"kind": nil, "code": 1, "year": nil}, false},
		{map[string]any{"code": 1}, false},
	} {
		if got := clashes(unique, test.body, taken); got != test.want {
			t.Errorf("%v clashes: %t", test.body, got)
		}
	}
}
