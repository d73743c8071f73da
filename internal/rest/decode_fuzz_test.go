package rest

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/internal/scalar"
)

// What Decode accepts, encoding/json accepts too, and it means the same; and
// what is written from it decodes to the same again.
func FuzzDecode(f *testing.F) {
	for _, body := range []string{
		"", "{}", "[]", "{\"", `{"name":"a","name":"b"}`, `{"name":"\ud834\udd1e","id":[[{}]]}`,
		`{"name":"a","note":null,"amount":-1.10e2,"owner_id":"0199F2AB-7C3D-7E4F-8A1B-2C3D4E5F6A7B"}`,
		`{"due_date":"2024-02-29","paid_at":"2024-03-01T00:30:00.123456+01:00","\u006eame":"\n"}`,
		`{"nam":1,"amount":"1","note":"\ud834","x":{"a":[1,2,{"b":null}]}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var in sample
		changes, err := Decode(body, &in, false)
		if err != nil {
			if n := len(AsError(err).Message); n > 6<<10 {
				t.Errorf("a message of %d bytes", n)
			}
			return
		}
		sameAsJSON(t, body, &in)
		again := decodeAgain(t, in.encode(), changes)
		if again.encode() != in.encode() {
			t.Errorf("%s became %s", in.encode(), again.encode())
		}
	})
}

func decodeAgain(t *testing.T, body string, changes bool) *sample {
	t.Helper()
	var in sample
	if changed, err := Decode([]byte(body), &in, false); err != nil || changed != changes {
		t.Fatalf("%s: %t, %v; want %t", body, changed, err, changes)
	}
	return &in
}

// sameAsJSON compares what the input took up with what encoding/json reads.
func sameAsJSON(t *testing.T, body []byte, in *sample) {
	t.Helper()
	var want map[string]json.RawMessage
	if err := json.Unmarshal(body, &want); err != nil {
		t.Fatalf("encoding/json refuses it: %v", err)
	}
	if members, err := parseObject(body); err != nil || len(members) != len(want) {
		t.Fatalf("%d members, %v; want %d", len(members), err, len(want))
	}
	same(t, want["name"], &in.Name, func(s string) string { return s })
	same(t, want["note"], &in.Note, func(s string) string { return s })
	same(t, want["owner_id"], &in.Owner, uuid.UUID.String)
	same(t, want["due_date"], &in.Due, scalar.Date.String)
	same(t, want["paid_at"], &in.Paid, func(at time.Time) string { return at.Format(time.RFC3339Nano) })
	if d, ok := in.Amount.Given(); ok && !equal(string(want["amount"]), string(AppendDecimal(nil, d))) {
		t.Errorf("%s became %s", want["amount"], AppendDecimal(nil, d))
	}
}

// same compares a field with its raw value: absent, null, or a string that is
// the same but for the case of a UUID, and the zone and fraction of a timestamp.
func same[T any](t *testing.T, raw json.RawMessage, got *Value[T], text func(T) string) {
	t.Helper()
	wantState := given
	if raw == nil {
		wantState = absent
	} else if string(raw) == "null" {
		wantState = null
	}
	if got.state != wantState {
		t.Fatalf("%s: state %d; want %d", raw, got.state, wantState)
	}
	if wantState != given {
		return
	}
	var want string
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	switch any(got.value).(type) {
	case uuid.UUID:
		want = strings.ToLower(want)
	case time.Time:
		at, err := time.Parse(time.RFC3339Nano, want)
		if err != nil {
			return // such as a leap second, or lower case: scalar has its own tests
		}
		want = at.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)
	}
	if text(got.value) != want {
		t.Errorf("%s became %q", raw, text(got.value))
	}
}

// equal compares two JSON numbers. Zero may have any exponent, which big.Rat
// would write out.
func equal(a, b string) bool {
	if strings.Trim(mantissa(a), "-0.") == "" {
		return b == "0"
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

func mantissa(number string) string {
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		return number[:i]
	}
	return number
}
