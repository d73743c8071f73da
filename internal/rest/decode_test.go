package rest

import (
	"strings"
	"testing"
)

func TestDecodeAccepts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body, want string
		changes    bool
	}{
		"nothing":                  {`{}`, `{}`, false},
		"white space around":       {" \t\r\n{ \"name\" :\n\"a\" } \r\n", `{"name":"a"}`, true},
		"every kind":               {`{"name":"a","note":"","amount":1.10,"owner_id":"0199F2AB-7C3D-7E4F-8A1B-2C3D4E5F6A7B","due_date":"2024-02-29","paid_at":"2024-03-01T00:30:00+01:00"}`, `{"name":"a","note":"","amount":1.1,"owner_id":"0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7b","due_date":"2024-02-29","paid_at":"2024-02-29T23:30:00.000Z"}`, true},
		"null clears":              {`{"note":null,"amount":null,"owner_id":null,"due_date":null,"paid_at":null}`, `{"note":null,"amount":null,"owner_id":null,"due_date":null,"paid_at":null}`, true},
		"what the server sets":     {`{"id":1,"created_at":[{}],"updated_at":null}`, `{}`, false},
		"what the server sets too": {`{"id":"x","note":"y"}`, `{"note":"y"}`, true},
		"an escaped name":          {`{"\u006eote":"y"}`, `{"note":"y"}`, true},
		"characters, not bytes":    {`{"name":"äöü€𝄞"}`, `{"name":"äöü€𝄞"}`, true},
		"a surrogate pair":         {`{"name":"\ud834\udd1e"}`, `{"name":"𝄞"}`, true},
		"to the letter":            {`{"note":" \u0001\u007fA\u030a <>&\u2028 "}`, "{\"note\":\" \\u0001\u007fA\u030a <>&\u2028 \"}", true},
		"an exponent":              {`{"amount":1e3}`, `{"amount":1000}`, true},
		"minus zero":               {`{"amount":-0.0}`, `{"amount":0}`, true},
		"as deep as may be":        {`{"id":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `}`, `{}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var in sample
			changes, err := Decode([]byte(c.body), &in, false)
			if err != nil || changes != c.changes || in.encode() != c.want {
				t.Errorf("Decode = %t, %v: %s; want %t: %s", changes, err, in.encode(), c.changes, c.want)
			}
		})
	}
}

func TestDecodeRefusesJSON(t *testing.T) {
	t.Parallel()
	const malformed = "The body is not well-formed UTF-8 JSON: see byte "
	for body, want := range map[string]string{
		"":                             "The body is empty; send one JSON object.",
		" \n":                          "The body is empty; send one JSON object.",
		"null":                         "The body must be one JSON object.",
		"nul":                          "The body must be one JSON object.",
		"}":                            "The body must be one JSON object.",
		"[{}]":                         "The body must be one JSON object.",
		`"{}"`:                         "The body must be one JSON object.",
		"12":                           "The body must be one JSON object.",
		"{}{}":                         "The body must be one JSON object with nothing after it.",
		"{} x":                         "The body must be one JSON object with nothing after it.",
		"{},":                          "The body must be one JSON object with nothing after it.",
		`{"note":"a","note":"a"}`:      "The body names a field twice.",
		`{"note":"a","\u006eote":"a"}`: "The body names a field twice.",
		`{"id":{"a":1,"a":1}}`:         "The body names a field twice.",
		"{":                            malformed,
		"{'note':1}":                   malformed,
		`{"note"}`:                     malformed,
		`{"note":}`:                    malformed,
		`{"note":"a",}`:                malformed,
		`{"note":"a" "name":"b"}`:      malformed,
		`{"amount":01}`:                malformed,
		`{"amount":+1}`:                malformed,
		`{"amount":.5}`:                malformed,
		`{"amount":NaN}`:               malformed,
		`{"note":"` + "\n" + `"}`:      malformed,
		`{"note":"` + "\xff" + `"}`:    malformed,
		`{"note":"\ud834"}`:            malformed,
		`{"note":"\udd1e\ud834"}`:      malformed,
		`{"note":"\x"}`:                malformed,
		`{"` + "\xc0\x80" + `":1}`:     malformed,
		"\ufeff{}":                     malformed,
		`{} /* */`:                     "The body must be one JSON object with nothing after it.",
		`{"id":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`:     "The body nests deeper than 32 levels.",
		`{"no":` + strings.Repeat(`{"a":`, 32) + `1` + strings.Repeat("}", 33): "The body nests deeper than 32 levels.",
		strings.Repeat("[", 1<<20):                                                 "The body must be one JSON object.",
		`{"id":` + strings.Repeat("[", 1<<20-6):                                    "The body nests deeper than 32 levels.",
		`{"id":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`: "The body nests deeper than 32 levels.",
		strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000):        "The body nests deeper than 32 levels.",
		"\u00a0": malformed,
		"\v":     malformed,
	} {
		_, err := Decode([]byte(body), new(sample), true)
		if got := fault(t, err, CodeInvalidJSON); !strings.HasPrefix(got, want) || (want != malformed && got != want) {
			t.Errorf("%.60q: %q; want %q", body, got, want)
		}
	}
}

func TestDecodeNamesFaults(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{}`:                         `name is required.`,
		`{"name":null}`:              `name must not be null.`,
		`{"name":""}`:                `name must not be blank.`,
		`{"name":" \u2003\n"}`:       `name must not be blank.`,
		`{"name":"123456"}`:          `name must be at most 5 characters long.`,
		`{"name":"𝄞𝄞𝄞𝄞𝄞𝄞"}`:          `name must be at most 5 characters long.`,
		`{"name":"a\u0000"}`:         `name must not contain the NUL character.`,
		`{"name":1}`:                 `name must be a string.`,
		`{"name":["a"]}`:             `name must be a string.`,
		`{"name":"a","amount":"1"}`:  `amount must be a number.`,
		`{"name":"a","owner_id":""}`: `owner_id must be a UUID.`,
		`{"name":"a","Note":"b"}`:    `"Note" is not a known field; the nearest is "note".`,
		`{"name":"a","":1}`:          `"" is not a known field; the nearest is "name".`,
		`{"name":"a","x\n\"":1}`:     `"x\n\"" is not a known field; the nearest is "name".`,
		`{"due":1,"note":2,"amount":true}`: `note must be a string; amount must be a number; name is required; ` +
			`"due" is not a known field; the nearest is "name".`,
	} {
		_, err := Decode([]byte(body), new(sample), true)
		if got := fault(t, err, CodeValidationFailed); got != want {
			t.Errorf("%s: %q; want %q", body, got, want)
		}
	}
}

func TestDecodeFaultyFieldTakesNothingUp(t *testing.T) {
	t.Parallel()
	var in sample
	if _, err := Decode([]byte(`{"amount":"1","note":1}`), &in, false); err == nil {
		t.Fatal("faults were accepted")
	}
	if in.encode() != `{}` {
		t.Errorf("the input holds %s", in.encode())
	}
}

func TestDecodeBoundsItsMessage(t *testing.T) {
	t.Parallel()
	var many, wide strings.Builder
	for i := range 1000 {
		name := strings.Repeat("x", i%7) + strings.Repeat("y", i/7)
		many.WriteString(`"` + name + `":1,`)
		wide.WriteString(`"` + strings.Repeat("\U000e0001", 300) + name + `":1,`)
	}
	_, err := Decode([]byte(`{`+many.String()+`"name":1}`), new(sample), true)
	got := fault(t, err, CodeValidationFailed)
	if n := strings.Count(got, "; ") - strings.Count(got, "; the nearest"); n != maxFaults || !strings.HasSuffix(got, "; and 951 more.") {
		t.Errorf("%d faults, ending %q", n, got[len(got)-30:])
	}
	if got := decodeMessage(t, `{`+wide.String()+`"name":1}`); len(got) > 6<<10 {
		t.Errorf("a message of %d bytes", len(got))
	}
}

func decodeMessage(t *testing.T, body string) string {
	t.Helper()
	_, err := Decode([]byte(body), new(sample), true)
	return fault(t, err, CodeValidationFailed)
}
