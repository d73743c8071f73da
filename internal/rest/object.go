package rest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"records/internal/scalar"
)

// Object is a JSON object of any members, taken and replaced as a whole. What
// could not come out as it went in is refused: a number that no double holds to
// the digit (RFC 7493, section 2.2), and NUL, which PostgreSQL cannot keep.
func Object(name string, to *Value[map[string]any], checks ...func(map[string]any) error) Field {
	return newField(name, to, "object", decodeObject, checks)
}

func decodeObject(raw jsontext.Value) (map[string]any, error) {
	if raw.Kind() != '{' {
		return nil, errors.New("must be an object")
	}
	if err := checkTokens(raw); err != nil {
		return nil, err
	}
	var members map[string]any
	err := json.Unmarshal(raw, &members)
	return members, err
}

// checkTokens names every name, string and number in a value that could not be
// kept, and where it stands as a JSON pointer (RFC 6901).
func checkTokens(raw jsontext.Value) error {
	var faults partFaults
	var length digits
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return cmp.Or(faults.err(), length.err())
		}
		if err != nil {
			return err
		}
		if err := checkToken(token, &length); err != nil {
			faults.add(func() string { return " at " + quoted(string(d.StackPointer())) }, err)
		}
	}
}

func checkToken(token jsontext.Token, length *digits) error {
	switch token.Kind() {
	case '"':
		if strings.ContainsRune(token.String(), 0) {
			return errNUL
		}
	case '0':
		n, err := scalar.ParseDouble(token.String())
		length.add(n)
		return err
	}
	return nil
}

// digits counts those of numbers as PostgreSQL's jsonb gives them back, which
// is without an exponent: a body full of 1e308 would come back fifty times as
// long.
type digits int

func (d *digits) add(n float64) {
	if n != 0 {
		*d += digits(1 + math.Abs(math.Log10(math.Abs(n))))
	}
}

func (d *digits) err() error {
	if *d <= MaxBody {
		return nil
	}
	return errors.New("must not hold numbers that take more than 1 MiB when they are written without an exponent")
}

// AppendObject appends a JSON object, its members sorted by name at every
// depth: PostgreSQL's jsonb does not keep the order in which they came.
func AppendObject(b []byte, members map[string]any) []byte {
	b = append(b, '{')
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendText(b, name), ':')
		b = appendAny(b, members[name])
	}
	return append(b, '}')
}

// appendAny appends a member's value.
func appendAny(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return AppendBool(b, v)
	case string:
		return AppendText(b, v)
	case float64:
		return AppendFloat(b, v+0) // -0 becomes 0, which is all that PostgreSQL can keep
	case []any:
		return appendArray(b, v, appendAny)
	case map[string]any:
		return AppendObject(b, v)
	}
	// A schema's default may hold other types; this is what the database makes of them.
	raw, _ := json.Marshal(v)
	var stored any
	_ = json.Unmarshal(raw, &stored) // null for what is no JSON, which could not be stored either
	return appendAny(b, stored)
}
