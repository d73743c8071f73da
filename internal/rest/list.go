package rest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Texts is a list of strings, each kept to the letter.
func Texts(name string, to *Value[[]string], checks ...func([]string) error) Field {
	return newField(name, to, "array", listOf(decodeText), checks)
}

// Integers is a list of whole numbers, each by the rules of Integer.
func Integers[T integer](name string, to *Value[[]T], checks ...func([]T) error) Field {
	return newField(name, to, "array", listOf(decodeInteger[T]), checks)
}

// Floats is a list of numbers, each by the rules of Float.
func Floats[T ~float32 | ~float64](name string, to *Value[[]T], checks ...func([]T) error) Field {
	return newField(name, to, "array", listOf(decodeFloat[T]), append(checks, func(list []T) error {
		var length digits
		for _, n := range list {
			length.add(float64(n))
		}
		return length.err()
	}))
}

// listOf reads a list whose elements are all of one kind, and names all that
// are faulty. An empty list is a value, and not nil.
func listOf[T any](parse func(jsontext.Value) (T, error)) func(jsontext.Value) ([]T, error) {
	return func(raw jsontext.Value) ([]T, error) {
		if raw.Kind() != '[' {
			return nil, errors.New("must be an array")
		}
		list, faults := []T{}, &partFaults{}
		d := jsontext.NewDecoder(bytes.NewReader(raw)) // the body was well-formed: no error but the parser's
		_, _ = d.ReadToken()
		for i := 0; d.PeekKind() != ']'; i++ {
			element, err := d.ReadValue()
			if err != nil {
				return nil, err
			}
			v, err := parse(element)
			if err != nil {
				faults.add(func() string { return fmt.Sprintf("[%d]", i) }, err)
				continue
			}
			list = append(list, v)
		}
		return list, faults.err()
	}
}

// AppendTexts appends a list of strings.
func AppendTexts(b []byte, list []string) []byte { return appendArray(b, list, AppendText) }

// AppendIntegers appends a list of whole numbers.
func AppendIntegers[T integer](b []byte, list []T) []byte {
	return appendArray(b, list, AppendInteger[T])
}

// AppendFloats appends a list of numbers.
func AppendFloats[T ~float32 | ~float64](b []byte, list []T) []byte {
	return appendArray(b, list, AppendFloat[T])
}

func appendArray[T any](b []byte, list []T, appendElement func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendElement(b, v)
	}
	return append(b, ']')
}
