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
	Items  string // the JSON type of a list's elements
}

var (
	text      = kind{Name: "Text", GoType: "string", JSON: "string"}
	uuidKind  = kind{Name: "UUID", GoType: "uuid.UUID", JSON: "string", Format: "uuid"}
	date      = kind{Name: "Date", GoType: "scalar.Date", JSON: "string", Format: "date"}
	timestamp = kind{Name: "Timestamp", GoType: "time.Time", JSON: "string", Format: "date-time"}
	duration  = kind{Name: "Duration", GoType: "time.Duration", JSON: "string", Format: "duration"}
	decimal   = kind{Name: "Decimal", GoType: "scalar.Decimal", JSON: "number"}
	boolean   = kind{Name: "Bool", GoType: "bool", JSON: "boolean"}
)

// jsonKinds are those of Ent's JSON fields, by the Go type as reflection names it.
var jsonKinds = map[string]kind{
	"map[string]interface {}": {Name: "Object", GoType: "map[string]any", JSON: "object"},
	"[]string":                {Name: "Texts", GoType: "[]string", JSON: "array", Items: "string"},
	"[]int":                   {Name: "Integers", GoType: "[]int", JSON: "array", Items: "integer"},
	"[]float64":               {Name: "Floats", GoType: "[]float64", JSON: "array", Items: "number"},
}

// byValue reports whether null is a nil value of the kind, and no nil pointer:
// Ent's JSON fields have no Nillable().
func (k kind) byValue() bool { return k.JSON == "array" || k.JSON == "object" }

// stored names what a column of the kind holds: of whole numbers each size is a
// kind of its own.
func (k kind) stored() string {
	if k.Name == "Integer" {
		return k.GoType
	}
	return strings.ToLower(k.Name)
}

// kindOf returns the kind of a field, or false where it has no wire type.
func kindOf(f *gen.Field) (kind, bool) {
	switch goType := f.Type.String(); {
	case f.Type.Ident == "scalar.Date":
		return date, true
	case f.Type.Ident == "scalar.Decimal":
		return decimal, true
	case f.Type.Ident == "uuid.UUID":
		return uuidKind, true
	case f.Type.Ident == "time.Duration" && f.Type.Type == field.TypeInt64:
		return duration, true
	case f.IsJSON():
		k, ok := jsonKinds[f.Type.Ident]
		return k, ok
	case f.HasGoType():
		return kind{}, false
	case f.IsEnum():
		return kind{Name: "Enum", GoType: goType, JSON: "string"}, true
	case f.IsString():
		return text, true
	case f.IsTime():
		return timestamp, true
	case f.IsBool():
		return boolean, true
	case f.Type.Type.Integer():
		return kind{Name: "Integer", GoType: goType, JSON: "integer"}, true
	case f.Type.Type == field.TypeFloat64 || f.Type.Type == field.TypeFloat32:
		return kind{Name: "Float", GoType: goType, JSON: "number"}, true
	}
	return kind{}, false
}
