package scalar_test

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"records/internal/scalar"
)

func TestParseDouble(t *testing.T) {
	for in, want := range map[string]float64{
		"0": 0, "-0": 0, "0.0": 0, "-0e99999999999999999999": 0, "1": 1, "-1.50": -1.5, "0.1": 0.1, "0.30000000000000000000000": 0.3,
		"1e3": 1000, "1E+3": 1000, "100000e-5": 1, "0.00001e5": 1, "9007199254740992": 1 << 53, "-9007199254740991": -(1<<53 - 1),
		"9007199254740994": 1<<53 + 2, "1e22": 1e22, "1e308": 1e308, "1.7976931348623157e308": 1.7976931348623157e308, "5e-324": 5e-324,
		"0.3333333333333333": 0.3333333333333333, "12345678901234567000": 12345678901234567000,
		"1." + strings.Repeat("0", 1_000_000): 1, "1" + strings.Repeat("0", 300): 1e300,
	} {
		if got, err := scalar.ParseDouble(in); err != nil || got != want || 1/got < 0 && want == 0 {
			t.Errorf("ParseDouble(%.40q) = %v, %v; want %v", in, got, err, want)
		}
	}
}

func TestParseDoubleErrors(t *testing.T) {
	for want, inputs := range map[string][]string{
		"must be a number that a double-precision float (IEEE 754) holds to the digit, or be sent as a string": {
			"9007199254740993", "-9007199254740993", "0.1000000000000000055511151231257827", "3.14159265358979323846", "0.33333333333333333", "12345678901234567890",
			"1e309", "-1e309", "1.7976931348623159e308", "1e-400", "-1e-400", "4e-324", "1e99999999999999999999", "1e-99999999999999999999", strings.Repeat("9", 1_000_000),
			"1." + strings.Repeat("0", 1000) + "1",
		},
		"must be a number in JSON's notation, such as -12.5": {"", "01", "+1", ".5", "NaN", "Infinity", "0x10", "1_000", `"1"`, "null", "1 "},
	} {
		for _, in := range inputs {
			if got, err := scalar.ParseDouble(in); err == nil || err.Error() != want || got != 0 {
				t.Errorf("ParseDouble(%.40q) = %v, %v; want the error %q", in, got, err, want)
			}
		}
	}
}

// FuzzDouble holds ParseDouble against math/big: what is accepted is, written in
// its shortest form, the same number; what is not would be another.
func FuzzDouble(f *testing.F) {
	for _, s := range []string{"0", "-0", "0.1", "1e3", "9007199254740993", "1e309", "5e-324", "4e-324", "1.7976931348623157e308", "01", "NaN"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := scalar.ParseDouble(s)
		if !json.Valid([]byte(s)) || strings.Trim(s, "+-.0123456789eE") != "" {
			if err == nil {
				t.Errorf("ParseDouble(%q) = %v", s, got)
			}
			return
		}
		if m := exponent.FindStringSubmatch(s); m != nil {
			if e, atoi := strconv.Atoi(m[1]); atoi != nil || max(e, -e) > len(s)+400 {
				return // big.Rat would write the exponent out
			}
		}
		near, overflow := strconv.ParseFloat(s, 64)
		given, _ := new(big.Rat).SetString(s)
		held, _ := new(big.Rat).SetString(strconv.FormatFloat(near, 'g', -1, 64))
		if same := overflow == nil && held.Cmp(given) == 0; same != (err == nil) || same && got != near {
			t.Errorf("ParseDouble(%q) = %v, %v; nearest is %v", s, got, err, near)
		}
	})
}
