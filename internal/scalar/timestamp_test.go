package scalar_test

import (
	"strings"
	"testing"
	"time"

	"records/internal/scalar"
)

func TestParseTimestamp(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"2026-10-28T09:30:00Z", "2026-10-28T09:30:00.000Z"},
		{"2026-10-28t09:30:00z", "2026-10-28T09:30:00.000Z"},
		{"2026-10-28T09:30:00.1Z", "2026-10-28T09:30:00.100Z"},
		{"2026-10-28T09:30:00.1239Z", "2026-10-28T09:30:00.123Z"},
		{"2026-10-28T23:59:59.999999999999999Z", "2026-10-28T23:59:59.999Z"},
		{"1937-01-01T12:00:27.879+00:20", "1937-01-01T11:40:27.879Z"},
		{"1937-01-01T12:00:27.87-00:00", "1937-01-01T12:00:27.870Z"},
		{"2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00.000Z"},
		{"2026-01-01T00:00:00+23:59", "2025-12-31T00:01:00.000Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"},
		{"0000-12-31T23:30:00-01:00", "0001-01-01T00:30:00.000Z"},
		{"9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"},
		{"2026-10-28T09:30:00." + strings.Repeat("7", 100_000) + "Z", "2026-10-28T09:30:00.777Z"},
	} {
		got, err := scalar.ParseTimestamp(c.in)
		if err != nil || string(scalar.AppendTimestamp(nil, got)) != c.want {
			t.Errorf("ParseTimestamp(%.40q) = %v, %v; want %s", c.in, got, err, c.want)
		}
		if got.Location() != time.UTC || got.Nanosecond()%int(time.Millisecond) != 0 {
			t.Errorf("ParseTimestamp(%.40q) = %v; want UTC and milliseconds", c.in, got)
		}
	}
	for _, in := range []string{
		"", "2026-10-28", "09:30:00Z", "2026-10-28T09:30:00", "2026-10-28T09:30Z", "2026-10-28 09:30:00Z",
		"2026-10-28T9:30:00Z", "2026-10-28T09:30:00,5Z", "2026-10-28T09:30:00.Z", "2026-10-28T09:30:00+01:00Z",
		"2026-10-28T09:30:00+1:00", "2026-10-28T09:30:00+0100", "2026-10-28T09:30:00+01", "2026-10-28T09:30:00+24:00",
		"2026-10-28T09:30:00-10:60", "2026-10-28T09:30:00−01:00", "2026-10-28T09:30:00 Z", "2026-10-28T09:30:00UTC",
		"2026-10-28T24:00:00Z", "2026-10-28T09:60:00Z", "2026-10-28T09:30:61Z", "1998-12-31T23:59:60Z",
		"2026-02-29T00:00:00Z", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
		"2026-1-28T09:30:00Z", "26-10-28T09:30:00Z", "+12026-10-28T09:30:00Z", "20261028T093000Z", "2026-350T09:30:00Z",
		"2026-10-2৪T09:30:00Z", "2026-10-28T0৪:30:00Z", " 2026-10-28T09:30:00Z", "2026-10-28T09:30:00Z\n",
		"0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "1730107800",
	} {
		got, err := scalar.ParseTimestamp(in)
		if err == nil || err.Error() != "must be an RFC 3339 timestamp such as 2026-01-31T09:30:00Z" || !got.IsZero() {
			t.Errorf("ParseTimestamp(%q) = %v, %v; want an error", in, got, err)
		}
	}
}

func TestAppendTimestamp(t *testing.T) {
	east := time.FixedZone("", 90*60)
	for _, c := range []struct {
		t    time.Time
		want string
	}{
		{time.Date(2026, 10, 28, 9, 30, 0, 0, east), "2026-10-28T08:00:00.000Z"},
		{time.Date(2026, 10, 28, 9, 30, 0, 999_999_999, time.UTC), "2026-10-28T09:30:00.999Z"},
		{time.Date(1969, 12, 31, 23, 59, 59, 1_999_999, time.UTC), "1969-12-31T23:59:59.001Z"},
		{time.Time{}, "0001-01-01T00:00:00.000Z"},
	} {
		if got := string(scalar.AppendTimestamp([]byte("at "), c.t)); got != "at "+c.want {
			t.Errorf("AppendTimestamp(%v) = %q; want %q", c.t, got, "at "+c.want)
		}
	}
}

// FuzzTimestamp holds what ParseTimestamp takes against the time package, and
// against its own way back.
func FuzzTimestamp(f *testing.F) {
	for _, s := range []string{"2026-10-28T09:30:00Z", "2026-10-28t09:30:00.1239z", "1937-01-01T12:00:27.87+00:20", "2026-10-28T9:30:00Z", "9999-12-31T23:59:59-00:01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := scalar.ParseTimestamp(s)
		if err != nil {
			return
		}
		want, err := time.Parse(time.RFC3339, strings.ToUpper(s))
		if err != nil || !want.Truncate(time.Millisecond).Equal(got) {
			t.Fatalf("ParseTimestamp(%q) = %v; the time package says %v, %v", s, got, want, err)
		}
		text := string(scalar.AppendTimestamp(nil, got))
		if len(text) != len("2026-10-28T09:30:00.000Z") {
			t.Errorf("%q is written %q", s, text)
		}
		if again, err := scalar.ParseTimestamp(text); err != nil || again != got {
			t.Errorf("%q does not come back from %q: %v, %v", s, text, again, err)
		}
	})
}

func BenchmarkAppendTimestamp(b *testing.B) {
	now := time.Date(2026, 10, 28, 9, 30, 0, 123_000_000, time.UTC)
	buf := make([]byte, 0, 32)
	b.ReportAllocs()
	for b.Loop() {
		buf = scalar.AppendTimestamp(buf[:0], now)
	}
}
