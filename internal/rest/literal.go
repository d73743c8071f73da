package rest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

// Bool is true or false.
func Bool(name string, to *Value[bool], checks ...func(bool) error) Field {
	return newField(name, to, "boolean", func(raw jsontext.Value) (bool, error) {
		if k := raw.Kind(); k != 't' && k != 'f' {
			return false, errors.New("must be true or false")
		}
		return raw.Kind() == 't', nil
	}, checks)
}

// integer are the Go types that a whole number can have.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Integer is a whole number, written without fraction and exponent. It is held
// to the range of the signed type of T's size, for PostgreSQL has no other, and
// of an unsigned T to the half that is not negative.
func Integer[T integer](name string, to *Value[T], checks ...func(T) error) Field {
	return newField(name, to, "integer", decodeInteger[T], checks)
}

func decodeInteger[T integer](raw jsontext.Value) (T, error) {
	most := int64(math.MaxInt64) >> (64 - 8*unsafe.Sizeof(T(0)))
	least := -most - 1
	if ^T(0) > 0 {
		least = 0
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if raw.Kind() != '0' || errors.Is(err, strconv.ErrSyntax) {
		return 0, errors.New("must be an integer")
	}
	if err != nil || n < least || n > most {
		return 0, beyond{fmt.Errorf("must be an integer from %d to %d", least, most)}
	}
	return T(n), nil
}

// Float is a number, kept as an IEEE 754 binary64 or binary32: the nearest that
// there is. One that is too large is refused.
func Float[T ~float32 | ~float64](name string, to *Value[T], checks ...func(T) error) Field {
	return newField(name, to, "number", decodeFloat[T], checks)
}

func decodeFloat[T ~float32 | ~float64](raw jsontext.Value) (T, error) {
	if raw.Kind() != '0' {
		return 0, errors.New("must be a number")
	}
	n, err := strconv.ParseFloat(string(raw), 8*int(unsafe.Sizeof(T(0))))
	if err != nil {
		return 0, beyond{errors.New("is too large a number")}
	}
	return T(n + 0), nil // -0 becomes 0, which is all that SQLite can keep
}

// beyond is what is wrong with a number that its type cannot hold. The schema's own
// limits, where they are known, are told in its place.
type beyond struct{ error }

// Enum is one of a few strings.
func Enum[T ~string](name string, to *Value[T], values ...T) Field {
	return newField(name, to, "string", func(raw jsontext.Value) (T, error) {
		s, err := parseString(raw)
		if err != nil {
			return "", err
		}
		if !slices.Contains(values, T(s)) {
			return "", errors.New("must be one of " + join(values))
		}
		return T(s), nil
	}, nil)
}

func join[T ~string](values []T) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(string(v))
	}
	return strings.Join(quoted, ", ")
}

// AppendBool appends true or false.
func AppendBool(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }

// AppendInteger appends a whole number.
func AppendInteger[T integer](b []byte, v T) []byte { return strconv.AppendInt(b, int64(v), 10) }

// AppendFloat appends the shortest number that reads back as v, with an exponent
// where encoding/json writes one.
func AppendFloat[T ~float32 | ~float64](b []byte, v T) []byte {
	format := byte('f')
	if size := math.Abs(float64(v)); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, float64(v), format, -1, 8*int(unsafe.Sizeof(v)))
}

// AppendEnum appends a JSON string.
func AppendEnum[T ~string](b []byte, v T) []byte { return AppendText(b, string(v)) }
