package scalar_test

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"records/internal/scalar"
)

func TestParseDecimal(t *testing.T) {
	million := strings.Repeat("0", 1_000_000)
	for _, c := range []struct{ in, want string }{
		{"0", "0"},
		{"-0", "0"},
		{"-0.0000000e-7", "0"},
		{"0e99999999999999999999", "0"},
		{"0.000e-99999999999999999999", "0"},
		{"0.1", "0.1"},
		{"-0.5", "-0.5"},
		{"1.10000", "1.1"},
		{"12.5000", "12.5"},
		{"0.0001", "0.0001"},
		{"-0.0001", "-0.0001"},
		{"0.00010000", "0.0001"},
		{"10", "10"},
		{"1e3", "1000"},
		{"1E+3", "1000"},
		{"1e0003", "1000"},
		{"1e14", "100000000000000"},
		{"1e-4", "0.0001"},
		{"100000e-5", "1"},
		{"0.00000001e8", "1"},
		{"123.456e-1", "12.3456"},
		{"999999999999999.9999", "999999999999999.9999"},
		{"-999999999999999.9999", "-999999999999999.9999"},
		{"9999999999999999999e-4", "999999999999999.9999"},
		{"922337203685477.5808", "922337203685477.5808"},
		{"1" + million + "e-1000000", "1"},
		{"0." + million + "1e1000001", "1"},
		{"1." + million, "1"},
	} {
		d, err := scalar.ParseDecimal(c.in)
		if err != nil || d.String() != c.want {
			t.Errorf("ParseDecimal(%.40q) = %v, %v; want %s", c.in, d, err, c.want)
		}
	}
}

func TestParseDecimalErrors(t *testing.T) {
	const (
		notNumber = "must be a number in JSON's notation, such as -12.5"
		tooMany   = "must be a number with at most 15 digits before and 4 after the point"
	)
	for want, inputs := range map[string][]string{
		notNumber: {
			"", " ", "-", "+1", "--1", "01", "-01", "00", ".5", "5.", "-.5", "1.e1", "1e", "1e+", "1e-", "1e+-1",
			"1e1.0", "1e1e1", "1.2.3", " 1", "1 ", "1\n", "1,5", "1_000", "0x10", "1f", "NaN", "Infinity", "-Infinity",
			"null", `"1"`, "١", "１", "1\x00",
		},
		tooMany: {
			"1000000000000000", "1e15", "-1e15", "0.00001", "1.00001", "1e-5", "0.12345", "999999999999999.99999",
			"99999999999999999999", "1e99999999999999999999", "-1e99999999999999999999", "1e-99999999999999999999",
			"1e9223372036854775807", "1e-9223372036854775808", "1e18446744073709551616", "1e1125899906842624",
			"1" + strings.Repeat("0", 100), "0." + strings.Repeat("0", 100) + "1", "1e" + strings.Repeat("9", 100_000),
		},
	} {
		for _, in := range inputs {
			d, err := scalar.ParseDecimal(in)
			if err == nil || err.Error() != want || d != (scalar.Decimal{}) {
				t.Errorf("ParseDecimal(%.40q) = %v, %v; want the error %q", in, d, err, want)
			}
		}
	}
}

func TestDecimalEqual(t *testing.T) {
	for _, same := range [][]string{
		{"0", "-0", "0.0", "-0e5"},
		{"1000", "1e3", "1000.0000", "0.1e4"},
		{"-1.5", "-15e-1", "-1.50"},
	} {
		for _, s := range same {
			if parseDecimal(t, s) != parseDecimal(t, same[0]) {
				t.Errorf("%s and %s should be ==", s, same[0])
			}
		}
	}
	if parseDecimal(t, "1") == parseDecimal(t, "-1") {
		t.Error("1 and -1 should differ")
	}
	if (scalar.Decimal{}).String() != "0" {
		t.Error("the zero value should be 0")
	}
}

func TestDecimalJSON(t *testing.T) {
	var in struct{ A, B, C scalar.Decimal }
	in.C = parseDecimal(t, "7")
	if err := json.Unmarshal([]byte(`{"A": 1.10 , "B": -2e2, "C": null}`), &in); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(in)
	if want := `{"A":1.1,"B":-200,"C":7}`; err != nil || string(out) != want {
		t.Errorf("got %s, %v; want %s", out, err, want)
	}
	for _, bad := range []string{`"1"`, `true`, `{}`, `[1]`, `1e15`} {
		d := parseDecimal(t, "7")
		if err := json.Unmarshal([]byte(bad), &d); err == nil || d.String() != "7" {
			t.Errorf("Unmarshal(%s) = %v, %v; want an error and no change", bad, d, err)
		}
	}
}

func TestDecimalScan(t *testing.T) {
	for _, c := range []struct {
		src  any
		want string
	}{
		{"12.5000", "12.5"},
		{[]byte("-0.5000"), "-0.5"},
		{[]byte("0.0000"), "0"},
		{"999999999999999.9999", "999999999999999.9999"},
		{int64(-42), "-42"},
	} {
		var d scalar.Decimal
		if err := d.Scan(c.src); err != nil || d.String() != c.want {
			t.Errorf("Scan(%v) = %v, %v; want %s", c.src, d, err, c.want)
		}
		if v, err := d.Value(); err != nil || v != c.want {
			t.Errorf("Value() = %v, %v; want %s", v, err, c.want)
		}
	}
	for _, src := range []any{nil, 1.5, true, time.Time{}, "", "NaN", []byte("Infinity"), int64(1e15)} {
		d := parseDecimal(t, "7")
		if err := d.Scan(src); err == nil || d.String() != "7" {
			t.Errorf("Scan(%v) = %v, %v; want an error and no change", src, d, err)
		}
	}
}

var (
	canonical = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})(\.[0-9]{0,3}[1-9])?$`)
	exponent  = regexp.MustCompile(`[eE]([+-]?[0-9]+)$`)
)

// FuzzDecimal holds ParseDecimal against encoding/json, which knows the
// grammar, and math/big, which knows the value.
func FuzzDecimal(f *testing.F) {
	for _, s := range []string{"0", "-0", "0.1", "1e3", "1.10000", "100000e-5", "999999999999999.9999", "1e15", "0e99999999999999999999", "01", ".5", "NaN"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := scalar.ParseDecimal(s)
		fits, want := oracle(s)
		if fits != (err == nil) {
			t.Fatalf("ParseDecimal(%q) = %v, %v; the oracle says fits = %t", s, got, err, fits)
		}
		if !fits {
			return
		}
		text := got.String()
		if !canonical.MatchString(text) || text == "-0" {
			t.Errorf("%q is written %q", s, text)
		}
		if back, ok := new(big.Rat).SetString(text); !ok || back.Cmp(want) != 0 {
			t.Errorf("%q is %s, not %s", s, want, text)
		}
		if again, err := scalar.ParseDecimal(text); err != nil || again != got {
			t.Errorf("%q does not come back from %q: %v, %v", s, text, again, err)
		}
	})
}

// oracle says whether s is a JSON number that a Decimal can hold, and which.
func oracle(s string) (bool, *big.Rat) {
	if !json.Valid([]byte(s)) || strings.Trim(s, "+-.0123456789eE") != "" {
		return false, nil
	}
	if !strings.ContainsAny(exponent.ReplaceAllString(s, ""), "123456789") {
		return true, new(big.Rat)
	}
	// big.Rat writes 10^exponent out, so it sees no exponent that no text of
	// this length can make up for.
	if m := exponent.FindStringSubmatch(s); m != nil {
		if e, err := strconv.Atoi(m[1]); err != nil || max(e, -e) > len(s)+20 {
			return false, nil
		}
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return false, nil
	}
	scaled := new(big.Rat).Mul(r, big.NewRat(10_000, 1))
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(19), nil)
	return scaled.IsInt() && scaled.Num().CmpAbs(limit) < 0, r
}

func BenchmarkParseDecimal(b *testing.B) {
	for _, s := range []string{"12500", "-1234567.89", "999999999999999.9999", "1e-99999999999999999999"} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = scalar.ParseDecimal(s)
			}
		})
	}
}

func BenchmarkDecimalAppendText(b *testing.B) {
	for _, s := range []string{"12500", "-1234567.89", "999999999999999.9999"} {
		d := parseDecimal(b, s)
		buf := make([]byte, 0, 32)
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buf, _ = d.AppendText(buf[:0])
			}
		})
	}
}

func parseDecimal(t testing.TB, s string) scalar.Decimal {
	t.Helper()
	d, err := scalar.ParseDecimal(s)
	if err != nil {
		t.Fatalf("ParseDecimal(%q): %v", s, err)
	}
	return d
}
