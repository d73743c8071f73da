package rest

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"records/internal/scalar"
)

// Field is one field that a client may write: what the generator knows of it,
// and the place in an input that takes its value up.
type Field struct {
	Name      string
	JSON      string   // the JSON type of its value: string, number, integer, boolean, array or object
	Required  bool     // on create
	Nullable  bool     // null clears it
	Immutable bool     // keeps the value that it was created with
	WriteOnly bool     // is taken, and never shown
	Reference string   // the plural of the resource that it refers to, or ""
	Examples  []string // believable values, as they would stand in a CSV file
	MaxLength int      // in Unicode characters; 0 is no limit of its own

	to   place
	take func(jsontext.Value) error
}

// place is where a value is taken up: a Value of any type.
type place interface {
	Sent() bool
	clear()
	last() any // what was taken last
}

// Require makes the field required on create, and never null.
func (f Field) Require() Field {
	f.Required, f.Nullable = true, false
	return f
}

// NotNull makes the field optional on create, where the schema's default takes
// its place, but never null.
func (f Field) NotNull() Field {
	f.Nullable = false
	return f
}

// Freeze makes the field keep the value that it was created with.
func (f Field) Freeze() Field {
	f.Immutable = true
	return f
}

// Conceal makes the field one that is taken and never shown.
func (f Field) Conceal() Field {
	f.WriteOnly = true
	return f
}

// Refer makes the field name a record of the resource, in the same workspace.
func (f Field) Refer(plural string) Field {
	f.Reference = plural
	return f
}

// Example adds believable values.
func (f Field) Example(values ...string) Field {
	f.Examples = values
	return f
}

// Limit says what a client is told of a value that Ent's own validators refuse, in
// place of what is said where no limit is known: OutOfRange, TooShort or Mismatch.
func (f Field) Limit(about, words string) Field {
	take := f.take
	f.take = func(raw jsontext.Value) error {
		err := take(raw)
		_, tooFar := err.(beyond) //nolint:errorlint // one inside another is of a part of the value
		if err != nil && err.Error() == about || tooFar && about == OutOfRange {
			return errors.New(words)
		}
		return err
	}
	return f
}

// Text is a string of at most maxLength Unicode characters (0: no limit), kept
// to the letter. Checks are the schema's own validators.
func Text(name string, to *Value[string], maxLength int, checks ...func(string) error) Field {
	f := newField(name, to, "string", func(raw jsontext.Value) (string, error) {
		s, err := decodeText(raw)
		if err == nil && maxLength > 0 && utf8.RuneCountInString(s) > maxLength {
			err = fmt.Errorf("must be at most %d characters long", maxLength)
		}
		return s, err
	}, checks)
	f.MaxLength = maxLength
	return f
}

// UUID is an id in the form 8-4-4-4-12, of any case.
func UUID(name string, to *Value[uuid.UUID], checks ...func(uuid.UUID) error) Field {
	return newField(name, to, "string", parseUUID, checks)
}

// Date is a calendar day as YYYY-MM-DD.
func Date(name string, to *Value[scalar.Date], checks ...func(scalar.Date) error) Field {
	return newField(name, to, "string", parseDate, checks)
}

// Timestamp is a moment in RFC 3339, kept in UTC and milliseconds.
func Timestamp(name string, to *Value[time.Time], checks ...func(time.Time) error) Field {
	return newField(name, to, "string", parseTimestamp, checks)
}

// Duration is a length of time in whole seconds, as ISO 8601 writes it. Checks
// get it in nanoseconds, as Ent's own validators of such a field do.
func Duration(name string, to *Value[time.Duration], checks ...func(int64) error) Field {
	return newField(name, to, "string", fromString(func(s string) (time.Duration, error) {
		d, err := scalar.ParseDuration(s)
		if err != nil {
			return 0, err
		}
		return d, passes(int64(d), checks)
	}), nil)
}

// Decimal is a JSON number, kept exactly.
func Decimal(name string, to *Value[scalar.Decimal], checks ...func(scalar.Decimal) error) Field {
	return newField(name, to, "number", func(raw jsontext.Value) (scalar.Decimal, error) {
		if raw.Kind() != '0' {
			return scalar.Decimal{}, errors.New("must be a number")
		}
		return scalar.ParseDecimal(string(raw))
	}, checks)
}

// Parse returns what a client's value becomes in Go, by the rules of the field,
// or what is wrong with it. Null is no value.
func (f Field) Parse(raw []byte) (any, error) {
	v := jsontext.Value(raw)
	if !v.IsValid() || v.Kind() == 'n' {
		return nil, errors.New("must be a value")
	}
	if err := f.take(v); err != nil {
		return nil, err
	}
	return f.to.last(), nil
}

// newField binds a place to the parser of its kind and the schema's validators.
func newField[T any](name string, to *Value[T], jsonType string, parse func(jsontext.Value) (T, error), checks []func(T) error) Field {
	return Field{
		Name:     name,
		JSON:     jsonType,
		Nullable: true,
		to:       to,
		take: func(raw jsontext.Value) error {
			v, err := parse(raw)
			if err != nil {
				return err
			}
			if err := passes(v, checks); err != nil {
				return err
			}
			to.value, to.state = v, given
			return nil
		},
	}
}

// passes returns what the first check that v does not pass says of it.
func passes[T any](v T, checks []func(T) error) error {
	for _, check := range checks {
		if err := check(v); err != nil {
			if words, own := entWords[err.Error()]; own {
				return errors.New(words)
			}
			return err
		}
	}
	return nil
}

// What is said of a value that Ent's own validators refuse.
const (
	OutOfRange = "is out of the range that is allowed"
	TooShort   = "is too short"
	TooLong    = "is too long"
	Mismatch   = "does not have the form that is asked for"
)

// entWords replace those of Ent's own validators, which speak to developers.
var entWords = map[string]string{
	"value out of range":                             OutOfRange,
	"value is less than the required length":         TooShort,
	"value is less than the required rune length":    TooShort,
	"value is greater than the required length":      TooLong,
	"value is greater than the required rune length": TooLong,
	"value does not match validation":                Mismatch,
}

var (
	parseUUID      = fromString(scalar.ParseUUID)
	parseDate      = fromString(scalar.ParseDate)
	parseTimestamp = fromString(scalar.ParseTimestamp)
)

func fromString[T any](parse func(string) (T, error)) func(jsontext.Value) (T, error) {
	return func(raw jsontext.Value) (T, error) {
		s, err := parseString(raw)
		if err != nil {
			var zero T
			return zero, err
		}
		return parse(s)
	}
}

// decodeText reads a string that both databases can keep.
func decodeText(raw jsontext.Value) (string, error) {
	s, err := parseString(raw)
	if err == nil && strings.ContainsRune(s, 0) {
		err = errNUL
	}
	return s, err
}

var errNUL = errors.New("must not contain the NUL character")

func parseString(raw jsontext.Value) (string, error) {
	if raw.Kind() != '"' {
		return "", errors.New("must be a string")
	}
	b, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return "", errors.New("must be a string of Unicode characters")
	}
	return string(b), nil
}
