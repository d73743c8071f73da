package load_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"testing"

	entrest "records/ent/rest"
	"records/internal/hostile"
	"records/internal/load"
)

// Every resource can be imported from CSV, all of its fields at once and the
// required ones alone.
func TestEveryResourceFromCSV(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		for _, r := range entrest.Resources(nil) {
			var names, cells, least, leastCells []string
			body, other := load.Example(r, 0, nil), load.Example(r, 1, nil)
			for _, field := range r.Fields() {
				cell := ""
				if v, ok := body[field.Name]; ok {
					cell = cellOf(t, v)
				}
				names, cells = append(names, field.Name), append(cells, cell)
				if field.Required || hostile.Ruled(r, field.Name) {
					least, leastCells = append(least, field.Name), append(leastCells, cellOf(t, other[field.Name]))
				}
			}
			f.imported(t, r.Spec().Plural, table(names, cells), load.CSV, 1)
			if len(least) > 0 {
				f.imported(t, r.Spec().Plural, table(least, leastCells), load.CSV, 1)
			}
		}
	})
}

// cellOf is how a value stands in a cell: a text as it is, all else as JSON.
func cellOf(t *testing.T, v any) string {
	t.Helper()
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// table writes a header and a row.
func table(header, row []string) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.WriteAll([][]string{header, row})
	return b.String()
}
