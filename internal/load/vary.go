package load

import (
	"slices"
	"strconv"
	"time"

	"records/internal/rest"
	"records/internal/scalar"
)

// distinct is the i-th value of a field whose values must differ: one of its
// examples, and then, where there are no more, a variation of one. It returns
// the example itself where the field takes no variation of it, as an enum does.
func distinct(f rest.Field, i int) string {
	example := f.Examples[i%len(f.Examples)]
	if i < len(f.Examples) {
		return example
	}
	for _, v := range variations(example, i) {
		if takes(f, v) {
			return v
		}
	}
	if v, ok := likeFirst(f, i); ok && takes(f, v) {
		return v
	}
	return example
}

func takes(f rest.Field, value string) bool {
	_, err := f.Parse(Cell(f, value))
	return err == nil
}

// variations are values like the example, of which the field may take one.
func variations(example string, i int) []string {
	if id, err := scalar.ParseUUID(example); err == nil {
		id[14], id[15] = byte(i>>8), byte(i)
		return []string{id.String()}
	}
	if day, err := time.Parse(time.DateOnly, example); err == nil {
		return []string{day.AddDate(0, 0, 31*i).Format(time.DateOnly)}
	}
	if moment, err := time.Parse(time.RFC3339, example); err == nil {
		return []string{moment.AddDate(0, 0, i).Format(time.RFC3339)}
	}
	if length, err := scalar.ParseDuration(example); err == nil { // by its digits, PT90M would be another PT1H30M
		step := time.Duration(i) * 61 * time.Second
		return []string{string(scalar.AppendDuration(nil, length+step)), string(scalar.AppendDuration(nil, max(length-step, 0)))}
	}
	n := strconv.Itoa(i + 1)
	if rest.IsNumber(example) {
		return []string{n, example + n}
	}
	return []string{example + " " + n, example + "-" + n, example + n, n + example, n}
}

// likeFirst is the i-th value that differs from the first example in digits and
// letters alone, as a pattern asks for: ABC-0003 of ABC-0001. None of them is
// another example, and there may be none.
func likeFirst(f rest.Field, i int) (v string, ok bool) {
	if f.JSON != "string" {
		return "", false
	}
	v, ok = turned(f, i)
	for j := slices.Index(f.Examples, v); ok && j >= 0; j = slices.Index(f.Examples, v) {
		v, ok = turned(f, j) // the j-th example has this one's place
	}
	return v, ok
}

// turned is the first example, i steps on, as a counter with a wheel for each
// character: no two i have the same. It is false where the wheels do not go so far.
func turned(f rest.Field, i int) (string, bool) {
	example := []byte(f.Examples[0])
	v, last := slices.Clone(example), slices.Clone(example)
	for at := len(v) - 1; at >= 0 && i > 0; at-- {
		wheel := []byte{example[at]}
		for c := after(example[at]); c != example[at]; c = after(c) {
			if takes(f, with(example, at, c)) && takes(f, with(last, at, c)) {
				wheel = append(wheel, c)
			}
		}
		v[at], last[at] = wheel[i%len(wheel)], wheel[len(wheel)-1]
		i /= len(wheel)
	}
	return string(v), i == 0
}

// with is a text with another character at a place.
func with(text []byte, at int, c byte) string {
	text = slices.Clone(text)
	text[at] = c
	return string(text)
}

// after is the next digit, or the next letter of the same case; it begins anew
// behind the last one. Any other character is its own.
func after(c byte) byte {
	switch {
	case c == '9', c == 'z', c == 'Z':
		return map[byte]byte{'9': '0', 'z': 'a', 'Z': 'A'}[c]
	case '0' <= c && c < '9', 'a' <= c && c < 'z', 'A' <= c && c < 'Z':
		return c + 1
	}
	return c
}
