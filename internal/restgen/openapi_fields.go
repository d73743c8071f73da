package restgen

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// fieldSchema is the schema of a field, in bodies and in answers.
func fieldSchema(f fieldModel) object {
	s := object{"type": f.Kind.JSON}
	if f.Nullable {
		s["type"] = []string{f.Kind.JSON, "null"}
	}
	if format := format(f); format != "" {
		s["format"] = format
	}
	if f.Kind.JSON == "object" { // of any members: without this, some generators take it for one of none
		s["additionalProperties"] = true
	}
	if f.Kind.Items != "" {
		s["items"] = object{"type": f.Kind.Items}
	}
	if f.Enums != nil {
		s["enum"] = enumValues(f)
	}
	if f.MaxLength > 0 && f.MaxLength < maxBody {
		s["maxLength"] = f.MaxLength
	}
	if f.Bounds.MinLength > 0 {
		s["minLength"] = f.Bounds.MinLength
	}
	if f.Bounds.Pattern != "" {
		s["pattern"] = f.Bounds.Pattern
	}
	if low, high := limits(f); low != "" {
		s["minimum"], s["maximum"] = json.RawMessage(low), json.RawMessage(high)
	} else {
		setNumber(s, "minimum", f.Bounds.Min)
		setNumber(s, "maximum", f.Bounds.Max)
	}
	if about := fieldAbout(f); about != "" {
		s["description"] = about
	}
	if e, ok := exampleOf(f, 0); ok {
		s["examples"] = []any{e}
	}
	return s
}

// maxBody is the largest body, in bytes: no text in it has more characters.
const maxBody = 1 << 20

// format is the field's format; that of a number tells its size.
func format(f fieldModel) string {
	switch f.Kind.Name {
	case decimal.Name:
		return "decimal"
	case "Integer":
		if bits(f.Kind.GoType) < 64 {
			return "int32"
		}
		return "int64"
	case "Float":
		if f.Kind.GoType == "float32" {
			return "float"
		}
		return "double"
	}
	return f.Format
}

// bits is the size of a Go integer.
func bits(goType string) int {
	if n, err := strconv.Atoi(strings.TrimLeft(goType, "uint")); err == nil {
		return n
	}
	return 64 // int, uint
}

// limits are those of a number that is kept in a type of bounded size, narrowed
// by the field's validators; "" for none.
func limits(f fieldModel) (low, high string) {
	switch f.Kind.Name {
	case decimal.Name:
		low, high = "-999999999999999.9999", "999999999999999.9999"
	case "Integer":
		most := int64(1)<<(bits(f.Kind.GoType)-1) - 1
		low, high = strconv.FormatInt(-most-1, 10), strconv.FormatInt(most, 10)
		if strings.HasPrefix(f.Kind.GoType, "u") {
			low = "0"
		}
	default:
		return "", ""
	}
	return firstOf(f.Bounds.Min, low), firstOf(f.Bounds.Max, high)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func setNumber(s object, name, value string) {
	if value != "" {
		s[name] = json.RawMessage(value)
	}
}

// fieldAbout says in words what a field is, and what a schema cannot say.
func fieldAbout(f fieldModel) string {
	var told []string
	if f.Comment != "" {
		told = append(told, strings.TrimSuffix(f.Comment, ".")+".")
	}
	if f.Reference != nil {
		told = append(told, "The id of "+a(strings.ReplaceAll(f.Reference.Name, "_", " "))+" of the same workspace.")
	}
	if f.Kind == date {
		told = append(told, "From 0001-01-01 on.")
	}
	if f.Kind == decimal {
		told = append(told, "Kept exactly: at most 15 digits before and 4 after the point.")
	}
	if f.Bounds.NotBlank {
		told = append(told, "Never blank: white space alone is refused.")
	}
	if f.Further {
		told = append(told, "The server checks more of it than this schema tells.")
	}
	return strings.Join(told, " ")
}

// enumValues are the values that an enum field can have.
func enumValues(f fieldModel) (values []any) {
	for _, e := range f.Enums {
		values = append(values, e.Value)
	}
	if f.Nullable {
		values = append(values, nil)
	}
	return slices.Clip(values)
}
