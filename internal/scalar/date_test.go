package scalar_test

import (
	"encoding/json"
	"regexp"
	"strconv"
	"testing"
	"time"

	"records/internal/scalar"
)

func TestParseDate(t *testing.T) {
	for _, s := range []string{
		"0001-01-01", "9999-12-31", "2026-01-31", "2026-04-30", "2026-12-01",
		"2024-02-29", "2000-02-29", "0400-02-29", "1582-10-10",
	} {
		d, err := scalar.ParseDate(s)
		if err != nil || d.String() != s {
			t.Errorf("ParseDate(%q) = %v, %v", s, d, err)
		}
	}
	for _, s := range []string{
		"", "0000-01-01", "0000-12-31", "2026-02-29", "2026-02-30", "2100-02-29", "1900-02-29", "2026-04-31", "2026-13-01",
		"2026-00-01", "2026-01-00", "2026-01-32", "2026-1-01", "2026-01-1", "2026-1-001", "26-01-01", "12026-01-01",
		" 2026-01-01", "2026-01-01 ", "2026-01-01\n", " 026-01-01", "2026- 1-01", "+026-01-01", "-026-01-01", "2026--1-01",
		"20260101", "2026/01/01", "2026-01/01", "01-01-2026", "2026-W01-1", "2026-001", "2026-Jan-1", "YYYY-MM-DD",
		"2026-01-01T00:00:00Z", "২026-01-01", "2026-0৪-01", "2026-01-1৪", "２０２６-01", "2026−01−01", "infinity", "1e26-01-01", "2e26-01-01",
	} {
		d, err := scalar.ParseDate(s)
		if err == nil || err.Error() != "must be a date as YYYY-MM-DD" || d != (scalar.Date{}) {
			t.Errorf("ParseDate(%q) = %v, %v; want an error", s, d, err)
		}
	}
}

func TestDateZero(t *testing.T) {
	if (scalar.Date{}) != parseDate(t, "0001-01-01") {
		t.Error("the zero value should be 0001-01-01")
	}
}

func TestDateOf(t *testing.T) {
	east := time.FixedZone("", 14*60*60)
	for _, c := range []struct {
		t    time.Time
		want string
	}{
		{time.Date(2026, 10, 28, 23, 59, 59, 999, time.UTC), "2026-10-28"},
		{time.Date(2026, 10, 28, 1, 0, 0, 0, east), "2026-10-28"}, // the 27th in UTC
		{time.Time{}, "0001-01-01"},
	} {
		if d, err := scalar.DateOf(c.t); err != nil || d.String() != c.want {
			t.Errorf("DateOf(%v) = %v, %v; want %s", c.t, d, err, c.want)
		}
	}
	for _, year := range []int{-44, 0, 10_000, 1_000_000} {
		if d, err := scalar.DateOf(time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)); err == nil {
			t.Errorf("DateOf(year %d) = %v; want an error", year, d)
		}
	}
}

func TestDateJSON(t *testing.T) {
	var in struct{ A, B, C scalar.Date }
	in.C = parseDate(t, "2020-02-20")
	if err := json.Unmarshal([]byte(`{"A":"2026-10-28","B":"2026\u002d01-01","C":null}`), &in); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(in)
	if want := `{"A":"2026-10-28","B":"2026-01-01","C":"2020-02-20"}`; err != nil || string(out) != want {
		t.Errorf("got %s, %v; want %s", out, err, want)
	}
	for _, bad := range []string{`""`, `20261028`, `"2026-02-30"`, `{}`, `["2026-10-28"]`} {
		d := parseDate(t, "2020-02-20")
		if err := json.Unmarshal([]byte(bad), &d); err == nil || d.String() != "2020-02-20" {
			t.Errorf("Unmarshal(%s) = %v, %v; want an error and no change", bad, d, err)
		}
	}
}

func TestDateScan(t *testing.T) {
	const want = "2026-10-28"
	for _, src := range []any{
		want,
		[]byte(want),
		time.Date(2026, 10, 28, 0, 0, 0, 0, time.FixedZone("", 0)),
		time.Date(2026, 10, 28, 0, 0, 0, 0, time.FixedZone("", 14*60*60)),
	} {
		var d scalar.Date
		if err := d.Scan(src); err != nil || d.String() != want {
			t.Errorf("Scan(%v) = %v, %v; want %s", src, d, err, want)
		}
		if v, err := d.Value(); err != nil || v != want {
			t.Errorf("Value() = %v, %v; want %s", v, err, want)
		}
	}
	bc := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, src := range []any{nil, int64(20261028), 1.5, "", "2026-02-30", []byte("infinity"), bc} {
		d := parseDate(t, want)
		if err := d.Scan(src); err == nil || d.String() != want {
			t.Errorf("Scan(%v) = %v, %v; want an error and no change", src, d, err)
		}
	}
}

var dateForm = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$`)

// FuzzDate holds ParseDate against a calendar written out.
func FuzzDate(f *testing.F) {
	for _, s := range []string{"2026-10-28", "0001-01-01", "9999-12-31", "2024-02-29", "2100-02-29", "2026-1-01", "2026-00-10", " 2026-01-01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := scalar.ParseDate(s)
		if isDay(s) != (err == nil) {
			t.Fatalf("ParseDate(%q) = %v, %v", s, d, err)
		}
		if err == nil && d.String() != s {
			t.Errorf("%q came back as %q", s, d)
		}
	})
}

func isDay(s string) bool {
	m := dateForm.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	year, _ := strconv.Atoi(m[1])
	month, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(m[3])
	days := []int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		days[2] = 29
	}
	return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days[month]
}

func parseDate(t testing.TB, s string) scalar.Date {
	t.Helper()
	d, err := scalar.ParseDate(s)
	if err != nil {
		t.Fatalf("ParseDate(%q): %v", s, err)
	}
	return d
}
