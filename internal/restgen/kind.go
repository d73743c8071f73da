package restgen

import (
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"
)

// kind is how a field crosses the wire.
type kind struct {
	Name   string // Text: the constructor rest.Text and the encoder rest.AppendText
	GoType string
	JSON   string // the JSON type in the description
	Format string // the OpenAPI format
}

var (
	text      = kind{"Text", "string", "string", ""}
	uuidKind  = kind{"UUID", "uuid.UUID", "string", "uuid"}
	date      = kind{"Date", "scalar.Date", "string", "date"}
	timestamp = kind{"Timestamp", "time.Time", "string", "date-time"}
	decimal   = kind{"Decimal", "scalar.Decimal", "number", ""}
	boolean   = kind{"Bool", "bool", "boolean", ""}
)

// kindOf returns the kind of a field, or false where it has no wire type.
func kindOf(f *gen.Field) (kind, bool) {
	switch goType := f.Type.String(); {
	case f.Type.Ident == "scalar.Date":
		return date, true
	case f.Type.Ident == "scalar.Decimal":
		return decimal, true
	case f.Type.Ident == "uuid.UUID":
		return uuidKind, true
	case f.HasGoType():
		return kind{}, false
	case f.IsEnum():
		return kind{"Enum", goType, "string", ""}, true
	case f.IsString():
		return text, true
	case f.IsTime():
		return timestamp, true
	case f.IsBool():
		return boolean, true
	case f.Type.Type.Integer():
		return kind{"Integer", goType, "integer", ""}, true
	case f.Type.Type == field.TypeFloat64 || f.Type.Type == field.TypeFloat32:
		return kind{"Float", goType, "number", ""}, true
	}
	return kind{}, false
}

// examples are values of a field whose schema gives none.
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
		return []string{clip(strings.ReplaceAll(f.Name, "_", " "), f.MaxLength)}
	}
	return map[string][]string{
		uuidKind.Name:  {"0190163d-8694-739b-aea5-966c26f8ad90"},
		date.Name:      {"2026-12-01"},
		timestamp.Name: {"2026-12-01T09:30:00Z"},
		decimal.Name:   {"9.99"},
		boolean.Name:   {"true", "false"},
		"Integer":      {"1", "2", "3"},
		"Float":        {"1.5"},
	}[f.Kind.Name]
}

// clip cuts a text to at most n bytes; 0 is no limit.
func clip(s string, n int64) string {
	if n > 0 && int64(len(s)) > n {
		return s[:n]
	}
	return s
}
