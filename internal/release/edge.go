package main

import (
	"encoding/json"
	"strings"

	"records/internal/rest"
)

// edgesOf are values at the edges of what a field takes, and some beyond: those
// are refused on create, and nobody needs to list which.
func edgesOf(f rest.Field) []any {
	switch {
	case f.Reference != "":
		return nil // the demo records refer to each other
	case f.JSON == "boolean":
		return []any{false, true}
	case f.JSON == "number", f.JSON == "integer":
		return numbers()
	case f.JSON == "string" && f.MaxLength > 0:
		return texts(f.MaxLength)
	case f.JSON == "string":
		return append(texts(300), formed...)
	}
	return structures
}

// texts are strings of up to n characters.
func texts(n int) []any {
	all := []any{"", strings.Repeat("x", n)}
	for _, s := range []string{
		"aa@" + strings.Repeat(strings.Repeat("b", 61)+".", 4) + "com",
		"Ünï¢ødé 漢字 🥨 e\u0301 \u202eעברית\u202c",
		"  spaces\tand\r\nlines\u00a0\u0001 ",
		`'; DROP TABLE tasks; -- \ \n $1 ? "quoted" \u0041 %s`,
	} {
		if len([]rune(s)) <= n {
			all = append(all, s)
		}
	}
	return all
}

// formed are strings of a form: dates, timestamps, ids.
var formed = []any{
	"0001-01-01", "1582-10-10", "2024-02-29", "9999-12-31",
	"0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z",
	"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
	"PT0S", "P1DT2H", "0s", "2562047h47m16s",
}

// numbers are whole numbers of each size, exact decimals and floats.
func numbers() []any {
	var all []any
	for _, n := range []string{
		"0", "-1", "127", "-128", "32767", "-32768", "2147483647", "-2147483648", "9223372036854775807", "-9223372036854775808",
		"0.1", "0.0001", "-0.0001", "999999999999999.9999", "-999999999999999.9999", "1.5e-300", "1.7976931348623157e308",
	} {
		all = append(all, json.Number(n))
	}
	return all
}

// structures are objects and lists.
var structures = []any{
	map[string]any{}, map[string]any{"ключ": []any{nil, true, "v'\"\\", json.Number("1e3")}, "": map[string]any{"deep": []any{}}},
	[]any{}, []any{"", "x, y", "{\"'}", "漢字"}, []any{json.Number("0"), json.Number("-1")}, []any{json.Number("0.1"), json.Number("1e30")},
}
