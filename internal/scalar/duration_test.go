package scalar_test

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"records/internal/scalar"
)

func TestParseDuration(t *testing.T) {
	for in, want := range map[string]string{
		"PT0S": "PT0S", "P0D": "PT0S", "P0W": "PT0S", "PT0H0M0S": "PT0S", "P0DT0S": "PT0S",
		"P2W": "PT336H", "P1D": "PT24H", "P1DT2H": "PT26H", "PT1H30M": "PT1H30M", "PT45M": "PT45M", "PT36H15M": "PT36H15M",
		"PT90M": "PT1H30M", "PT3600S": "PT1H", "PT59S": "PT59S", "PT60S": "PT1M", "PT61S": "PT1M1S", "PT3605S": "PT1H0M5S", "PT1H5S": "PT1H0M5S",
		"P1DT12H15M": "PT36H15M", "P1DT1S": "PT24H0M1S", "PT007H": "PT7H", "PT" + strings.Repeat("0", 1_000_000) + "1S": "PT1S",
		"PT9223372036S": "PT2562047H47M16S", "PT2562047H47M16S": "PT2562047H47M16S", "P106751DT23H47M16S": "PT2562047H47M16S", "P15250W": "PT2562000H",
	} {
		d, err := scalar.ParseDuration(in)
		if got := string(scalar.AppendDuration(nil, d)); err != nil || got != want {
			t.Errorf("ParseDuration(%.40q) = %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestParseDurationErrors(t *testing.T) {
	for want, inputs := range map[string][]string{
		"must be a duration of weeks, or of days, hours, minutes and seconds in this order, such as P2W, P1DT2H or PT1H30M": {
			"", " ", "P", "PT", "P1DT", "P1", "PT1", "PTH", "P1H", "P1S", "PT1D", "PT1W", "P1W1D", "P1D1W", "P1WT1H", "P1W2W", "P1D1D", "PT1M1H", "PT1S1M", "PT1H1H",
			"pt1h", "PT1h", "P1d", "P 1D", " PT1S", "PT1S ", "PT1S\n", "PT-1S", "PT+1S", "P-1D", "PT1HT1M", "TP1S", "T1H", "1H", "90", "1:30", "PT1H30", "PT1e3S", "PT0x1S",
			"PT١S", "PT１S", "P1D2H", "PT1\x00S", "P0001-01-01T00:00:00", "PT1H/PT2H", "P1DT2HP", "--P1D", "-", "+", "-1",
		},
		"must be a duration without years and months, which are not all of one length (a day is 24 hours)": {"P1Y", "P1M", "P1Y2M", "P1M1D", "P1Y1DT1H", "P0Y", "P99999999999999999999Y"},
		"must be a duration without a sign":                      {"-P1D", "+P1D", "-PT0S", "-PT1.5S", "-P1Y"},
		"must be a duration in whole seconds, without fractions": {"PT1.5S", "PT1,5S", "PT0.5H", "P0.5D", "PT1.0S", "P1.5W", "P1DT1.S"},
		"must be a duration of at most PT2562047H47M16S":         {"PT9223372037S", "PT2562047H47M17S", "PT2562048H", "P106752D", "P15251W", "P106751DT24H", "PT9223372036854775807S", "PT9223372036854775808S", "PT99999999999999999999H", "P9223372036DT9223372036S", "PT" + strings.Repeat("9", 1_000_000) + "S"},
	} {
		for _, in := range inputs {
			if d, err := scalar.ParseDuration(in); err == nil || err.Error() != want || d != 0 {
				t.Errorf("ParseDuration(%.40q) = %v, %v; want the error %q", in, d, err, want)
			}
		}
	}
}

func TestAppendDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "PT0S", time.Nanosecond: "PT0S", time.Second - 1: "PT0S", time.Second: "PT1S", 1999 * time.Millisecond: "PT1S",
		math.MaxInt64: "PT2562047H47M16S", -time.Second: "PT0S", math.MinInt64: "PT0S", -1: "PT0S",
	} {
		if got := string(scalar.AppendDuration([]byte("x"), d)); got != "x"+want {
			t.Errorf("%d is written %q; want %q", d, got, want)
		}
	}
}

// durationGrammar is that of RFC 3339, appendix A, without years and months.
// Unlike ISO 8601 it leaves out no unit between two others.
var durationGrammar = regexp.MustCompile(`^P(?:\d+W|\d+D(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$`)

// FuzzDuration: all that the grammar has is accepted, unless it is too long;
// what is accepted is written by the grammar, in one form, and means the same.
func FuzzDuration(f *testing.F) {
	for _, s := range []string{"P2W", "P1DT2H", "PT1H30M", "PT45M", "PT0S", "PT1H5S", "P1Y", "P1M", "-P1D", "PT1.5S", "PT9223372037S", "P"} {
		f.Add(s, int64(len(s)))
	}
	f.Fuzz(func(t *testing.T, s string, seconds int64) {
		d, err := scalar.ParseDuration(s)
		if durationGrammar.MatchString(s) && err != nil && !strings.Contains(err.Error(), "at most") {
			t.Errorf("ParseDuration(%q): %v", s, err)
		}
		if err == nil {
			comesBack(t, d)
		}
		comesBack(t, time.Duration(max(seconds, -(seconds+1))%(math.MaxInt64/int64(time.Second)+1))*time.Second)
	})
}

func comesBack(t *testing.T, d time.Duration) {
	t.Helper()
	text := string(scalar.AppendDuration(nil, d))
	if !durationGrammar.MatchString(text) {
		t.Errorf("%v is written %q", d, text)
	}
	if again, err := scalar.ParseDuration(text); err != nil || again != d || d < 0 {
		t.Errorf("%v came back from %q as %v, %v", d, text, again, err)
	}
}
