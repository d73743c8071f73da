package restgen

import (
	"strings"
	"testing"
)

// Plain examples keep to the bounds that are told.
func TestPlainExamples(t *testing.T) {
	integer := func(goType string, b bounds) fieldModel {
		return fieldModel{Name: "seats", Kind: kind{Name: "Integer", GoType: goType}, toldField: toldField{Bounds: b}}
	}
	float := func(b bounds) fieldModel {
		return fieldModel{Name: "share", Kind: kind{Name: "Float", GoType: "float64"}, toldField: toldField{Bounds: b}}
	}
	for _, c := range []struct {
		field fieldModel
		want  string
	}{
		{integer("int64", bounds{}), "1 2 3"},
		{integer("int", bounds{Min: "10"}), "10 11 12"},
		{integer("int8", bounds{Max: "-1"}), "-3 -2 -1"},
		{integer("int8", bounds{Min: "-2", Max: "-1"}), "-2 -1"},
		{integer("uint8", bounds{Max: "0"}), "0"},
		{integer("uint8", bounds{Max: "1"}), "1"},
		{integer("int64", bounds{Min: "9223372036854775807"}), "9223372036854775807"},
		{float(bounds{}), "1.5"},
		{float(bounds{Min: "0", Max: "1"}), "0.5"},
		{float(bounds{Min: "2"}), "2.5"},
		{float(bounds{Max: "-0.000001"}), "-0.500001"},
		{fieldModel{Name: "due_day", Kind: text, MaxLength: 4}, "due "},
		{fieldModel{Name: "sku", Kind: text, MaxLength: 12, toldField: toldField{Bounds: bounds{MinLength: 10}}}, "sku-sku-sku"},
	} {
		if got := strings.Join(examples(c.field), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.field.Name, got, c.want)
		}
	}
}
