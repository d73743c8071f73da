package load

import (
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
		if _, err := f.Parse(Cell(f, v)); err == nil {
			return v
		}
	}
	return example
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
	n := strconv.Itoa(i + 1)
	if rest.IsNumber(example) {
		return []string{n, example + n}
	}
	return []string{example + " " + n, example + "-" + n, example + n, n + example, n}
}
