package rest_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"records/internal/rest"
)

// nested has a field of every kind that holds more than one value, and a length
// of time.
type nested struct {
	tags   rest.Value[[]string]
	counts rest.Value[[]int8]
	ratios rest.Value[[]float64]
	meta   rest.Value[map[string]any]
	length rest.Value[time.Duration]
}

func (in *nested) Fields() []rest.Field {
	return []rest.Field{
		rest.Texts("tags", &in.tags, func(tags []string) error {
			if len(tags) > 3 {
				return errors.New("must have at most 3 elements")
			}
			return nil
		}),
		rest.Integers("counts", &in.counts),
		rest.Floats("ratios", &in.ratios),
		rest.Object("meta", &in.meta, func(meta map[string]any) error {
			if meta["forbidden"] != nil {
				return errors.New("must not be forbidden")
			}
			return nil
		}),
		rest.Duration("length", &in.length, func(nanoseconds int64) error {
			if nanoseconds > int64(time.Hour) {
				return errors.New("must be at most an hour")
			}
			return nil
		}),
	}
}

func TestNestedFaults(t *testing.T) {
	t.Parallel()
	const double = "must be a number that a double-precision float (IEEE 754) holds to the digit, or be sent as a string"
	for body, fault := range map[string]string{
		`{"tags":["a"," b",""],"counts":[-128,127],"ratios":[1e308,-0],"meta":{"a":[{"b":0.1}]},"length":"PT1H"}`: "",
		`{"tags":[],"counts":[],"ratios":[],"meta":{},"length":"PT0S"}`:                                           "",
		`{"tags":null,"counts":null,"ratios":null,"meta":null,"length":null}`:                                     "",
		`{"tags":"a"}`:                                            "tags must be an array",
		`{"tags":{}}`:                                             "tags must be an array",
		`{"tags":["a",null,2,"\u0000"]}`:                          "tags[1] must be a string; tags[2] must be a string; tags[3] must not contain the NUL character",
		`{"tags":["a","b","c","d"]}`:                              "tags must have at most 3 elements",
		`{"tags":[["a"]],"counts":[128]}`:                         "tags[0] must be a string; counts[0] must be an integer from -128 to 127",
		`{"counts":[1.0,true]}`:                                   "counts[0] must be an integer; counts[1] must be an integer",
		`{"ratios":[1e309,"1"]}`:                                  "ratios[0] is too large a number; ratios[1] must be a number",
		`{"meta":[]}`:                                             "meta must be an object",
		`{"meta":"{}"}`:                                           "meta must be an object",
		`{"meta":{"forbidden":1}}`:                                "meta must not be forbidden",
		`{"meta":{"a":9007199254740993}}`:                         `meta at "/a" ` + double,
		`{"meta":{"a":[0,1e-400]}}`:                               `meta at "/a/1" ` + double,
		`{"meta":{"a":{"~/\u0000":null}}}`:                        `meta at "/a/~0~1\x00" must not contain the NUL character`,
		`{"meta":{"` + strings.Repeat("k", 1000) + `":"\u0000"}}`: `meta at "/` + strings.Repeat("k", 63) + `…" must not contain the NUL character`,
		`{"length":"PT1H1S"}`:                                     "length must be at most an hour",
		`{"length":"P1M"}`:                                        "length must be a duration without years and months, which are not all of one length (a day is 24 hours)",
		`{"length":60}`:                                           "length must be a string",
	} {
		_, err := rest.Decode([]byte(body), &nested{}, true)
		switch {
		case fault == "" && err != nil:
			t.Errorf("%s: %v", body, err)
		case fault != "" && (err == nil || rest.AsError(err).Message != fault+"."):
			t.Errorf("%s: got %v, want %s", body, err, fault)
		}
	}
}

// However many elements are faulty, the message is bounded and counts them.
func TestManyNestedFaults(t *testing.T) {
	t.Parallel()
	body := `{"tags":[` + strings.TrimSuffix(strings.Repeat("1,", 1000), ",") + `],"counts":[""],"length":1}`
	_, err := rest.Decode([]byte(body), &nested{}, true)
	if message := rest.AsError(err).Message; !strings.HasSuffix(message, "tags[49] must be a string; and 952 more.") {
		t.Errorf("the message ends with %q", message[len(message)-80:])
	}
}

// What PostgreSQL would give back as much more than a body is refused.
func TestNestedNumbersWithoutExponents(t *testing.T) {
	t.Parallel()
	for name, brackets := range map[string][2]string{"ratios": {"[", "]"}, "meta": {`{"a":[`, "]}"}} {
		for number, most := range map[string]int{"1e308": 3393, "-1e-307": 3404, "0": 500_000, "0.5": 250_000} {
			for n, ok := range map[int]bool{most: true, most + 1: number[0] == '0'} {
				body := `{"` + name + `":` + brackets[0] + strings.Repeat(number+",", n-1) + number + brackets[1] + `}`
				_, err := rest.Decode([]byte(body), &nested{}, true)
				const want = " must not hold numbers that take more than 1 MiB when they are written without an exponent."
				if ok != (err == nil) || !ok && rest.AsError(err).Message != name+want {
					t.Errorf("%s with %d of %s: %v", name, n, number, err)
				}
			}
		}
	}
}

// A name that stands twice is refused however deep it is.
func TestNestedDuplicates(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"meta":{"a":1,"a":1}}`, `{"meta":{"b":[[{"a":1,"\u0061":2}]]}}`} {
		if _, err := rest.Decode([]byte(body), &nested{}, true); rest.AsError(err).Code != rest.CodeInvalidJSON {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestAppendNested(t *testing.T) {
	t.Parallel()
	var none []string
	for want, got := range map[string][]byte{
		`["a","<&>\"","` + "\u2028" + `"]`: rest.AppendTexts(nil, []string{"a", `<&>"`, "\u2028"}),
		`[]`:                               rest.AppendTexts(nil, none),
		`null`:                             rest.AppendNullable(nil, rest.Present(none), rest.AppendTexts),
		`x[]`:                              rest.AppendNullable([]byte("x"), rest.Present([]string{}), rest.AppendTexts),
		`[-1,2]`:                           rest.AppendIntegers(nil, []int{-1, 2}),
		`[0.1,1e+21]`:                      rest.AppendFloats(nil, []float64{0.1, 1e21}),
		`{}`:                               rest.AppendObject(nil, nil),
		`{"":null,"A":0,"a":[true,{"x":"<","y":[]}],"b":-1.5,"é":{}}`: rest.AppendObject(nil, map[string]any{
			"b": -1.5, "a": []any{true, map[string]any{"y": []any{}, "x": "<"}}, "": nil, "é": map[string]any{}, "A": math.Copysign(0, -1),
		}),
		`{"n":1,"s":["<"],"t":{"a":2,"b":1}}`: rest.AppendObject(nil, map[string]any{"t": map[string]int{"b": 1, "a": 2}, "s": []string{"<"}, "n": int64(1)}),
		`"PT36H15M"`:                          rest.AppendDuration(nil, 36*time.Hour+15*time.Minute),
	} {
		if string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// What is sent is compared with what is there as a client sees it.
func TestDiffers(t *testing.T) {
	t.Parallel()
	meta, empty := map[string]any{"a": 0.0}, map[string]any{}
	for _, c := range []struct {
		body string
		now  *map[string]any
		want bool
	}{
		{`{}`, nil, false}, {`{}`, &meta, false},
		{`{"meta":null}`, nil, false}, {`{"meta":null}`, &empty, true},
		{`{"meta":{}}`, nil, true}, {`{"meta":{}}`, &empty, false}, {`{"meta":{}}`, &meta, true},
		{`{"meta":{"a":-0e5}}`, &meta, false}, {`{"meta":{"a":1}}`, &meta, true},
	} {
		var in nested
		if _, err := rest.Decode([]byte(c.body), &in, false); err != nil {
			t.Fatal(err)
		}
		if got := in.meta.Differs(c.now, rest.AppendObject); got != c.want || in.meta.Sent() != (c.body != `{}`) {
			t.Errorf("%s differs from %v: %t", c.body, c.now, got)
		}
	}
	var at rest.Value[time.Time]
	now := time.Date(2026, 1, 31, 9, 30, 0, 123_456_789, time.FixedZone("", 3600))
	if _, err := rest.Decode([]byte(`{"at":"2026-01-31T08:30:00.123Z"}`), input{rest.Timestamp("at", &at)}, false); err != nil || at.Differs(&now, rest.AppendTimestamp) {
		t.Errorf("a moment differs from itself, %v", err)
	}
}

// input is a body of just these fields.
type input []rest.Field

func (in input) Fields() []rest.Field { return in }

func TestIsJSON(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		`{}`: true, ` [1] `: true, `{"a":1,"a":2}`: true, `"\ud800"`: true, `1`: true,
		``: false, `a`: false, `{`: false, `{},{}`: false, `{} {}`: false, `{"a":1},"b":2`: false, `[1,]`: false, `NaN`: false,
	} {
		if got := rest.IsJSON(s); got != want {
			t.Errorf("IsJSON(%q) = %t", s, got)
		}
	}
}
