package restgen

import (
	"strconv"
	"strings"
)

// examples are values of a field whose schema gives none: plain ones, within the
// bounds that the description can tell.
func examples(f fieldModel) []string {
	switch {
	case f.Enums != nil:
		values := make([]string, len(f.Enums))
		for i, e := range f.Enums {
			values[i] = e.Value
		}
		return values
	case f.Format == "email":
		return []string{"name@example.com"}
	case f.Kind == text:
		return []string{textOf(f)}
	case f.Kind.Name == "Integer":
		return wholeNumbers(f)
	case f.Kind.Name == "Float":
		return []string{number(f.Bounds)}
	}
	return map[string][]string{
		uuidKind.Name:  {"0190163d-8694-739b-aea5-966c26f8ad90"},
		date.Name:      {"2026-12-01"},
		timestamp.Name: {"2026-12-01T09:30:00Z"},
		duration.Name:  {"PT45M", "PT1H30M", "P1D"},
		decimal.Name:   {"9.99"},
		boolean.Name:   {"true", "false"},
		"Object":       {`{"key":"value"}`, `{}`},
		"Texts":        {`["one","two"]`, `[]`},
		"Integers":     {`[1,2,3]`, `[]`},
		"Floats":       {`[1.5,2]`, `[]`},
	}[f.Kind.Name]
}

// textOf is the name of a field, as often as its least length asks for.
func textOf(f fieldModel) string {
	words := strings.ReplaceAll(f.Name, "_", " ")
	s := words
	for int64(len(s)) < f.Bounds.MinLength {
		s += "-" + words
	}
	if f.MaxLength > 0 && int64(len(s)) > f.MaxLength {
		s = s[:f.MaxLength] // a name has no character of several bytes
	}
	return s
}

// wholeNumbers are up to three numbers from 1 on, or from the nearest bound.
func wholeNumbers(f fieldModel) (all []string) {
	low, high := limits(f)
	least, _ := strconv.ParseInt(low, 10, 64)
	most, _ := strconv.ParseInt(high, 10, 64)
	first := min(max(least, 1), most)
	if first < 1 {
		first = max(least, first-2)
	}
	for n := first; len(all) < 3; n++ {
		all = append(all, strconv.FormatInt(n, 10))
		if n == most {
			break
		}
	}
	return all
}

// number is 1.5, or one between the bounds.
func number(b bounds) string {
	low, noLow := strconv.ParseFloat(b.Min, 64)
	high, noHigh := strconv.ParseFloat(b.Max, 64)
	n := 1.5
	switch {
	case noLow == nil && noHigh == nil && (n < low || n > high):
		n = (low + high) / 2
	case noLow == nil && n < low:
		n = low + 0.5
	case noHigh == nil && n > high:
		n = high - 0.5
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
