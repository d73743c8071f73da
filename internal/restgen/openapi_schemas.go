package restgen

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// recordSchema is a record as the API answers it: every field is there.
func recordSchema(r resource) object {
	properties := ordered{{"id", idSchema()}}
	for _, f := range r.Shown() {
		properties = append(properties, property{f.Name, fieldSchema(f)})
	}
	properties = append(properties, timeSchemas()...)
	required := make([]string, len(properties))
	for i, p := range properties {
		required[i] = p.name
	}
	s := object{"type": "object", "properties": properties, "required": required}
	if r.Doc != "" {
		s["description"] = r.Doc
	}
	return s
}

func idSchema() object {
	return object{"type": "string", "format": "uuid", "description": "Made by the server: a UUID of version 7, so that ids sort by time.", "examples": []any{exampleID("record")}}
}

func timeSchemas() ordered {
	moment := func(about, example string) object {
		return object{"type": "string", "format": "date-time", "description": about, "examples": []any{example}}
	}
	return ordered{
		{"created_at", moment("When the record was created: UTC, in milliseconds.", createdAt)},
		{"updated_at", moment("When a field was last written: UTC, in milliseconds.", updatedAt)},
	}
}

func listSchema(r resource) object {
	return object{
		"type": "object", "description": "A page of " + r.words() + ".",
		"properties": ordered{
			{"data", object{"type": "array", "items": ref("schemas/" + r.Type), "maxItems": 200, "description": "The records of the page."}},
			{"limit", object{"type": "integer", "format": "int32", "minimum": 1, "maximum": 200, "description": "The limit that was asked for."}},
			{"offset", object{"type": "integer", "format": "int64", "minimum": 0, "maximum": mostOffset, "description": "The offset that was asked for."}},
			{"count", object{"type": "integer", "format": "int64", "minimum": 0, "description": "The exact number of records in the workspace, from the same snapshot as the page."}},
		},
		"required": []string{"data", "limit", "offset", "count"},
	}
}

// inputSchema is the body of a create or an update. What the server sets may
// stand in it and is ignored, so that a fetched record can be sent back whole;
// any other field that is not described is refused.
func inputSchema(r resource, create bool) object {
	properties, required := ordered{}, []string{}
	for _, f := range r.accepted(create) {
		s := inputProperty(f, create)
		properties = append(properties, property{f.Name, s})
		if create && f.Required {
			required = append(required, f.Name)
		}
	}
	for _, p := range append(ordered{{"id", idSchema()}}, timeSchemas()...) {
		s := p.value.(object)
		s["readOnly"], s["description"] = true, "Ignored here, so that a fetched record can be sent back."
		properties = append(properties, p)
	}
	about := "What an update of " + a(r.word()) + " changes. A field that is left out stays as it is."
	if create {
		about = "A new " + r.word() + ". A field that is left out is null, or has its default."
	}
	s := object{"type": "object", "description": about, "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// inputProperty is a field in a body.
func inputProperty(f fieldModel, create bool) object {
	s := fieldSchema(f)
	if create && f.Default != nil {
		s["default"] = f.Default
	}
	if f.WriteOnly {
		s["writeOnly"] = true
	}
	if f.Immutable && !create {
		words, _ := s["description"].(string)
		s["description"] = strings.TrimSpace(words + " Cannot be changed: only the value that the record has is accepted, so that it can be sent back.")
	}
	return s
}

// accepted are the fields that a body may have. One that is neither shown nor
// changed cannot be sent back.
func (r resource) accepted(create bool) []fieldModel {
	return slices.DeleteFunc(slices.Clone(r.Fields), func(f fieldModel) bool { return !create && f.Immutable && f.WriteOnly })
}

// fieldSchema is the schema of a field, in bodies and in answers.
func fieldSchema(f fieldModel) object {
	s := object{"type": f.Kind.JSON}
	if f.Nullable {
		s["type"] = []string{f.Kind.JSON, "null"}
	}
	if f.Format != "" {
		s["format"] = f.Format
	}
	if f.Kind.Items != "" {
		s["items"] = object{"type": f.Kind.Items}
	}
	if f.Enums != nil {
		s["enum"] = enumValues(f)
	}
	if f.MaxLength > 0 {
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

// limits are those of a number that is kept in a type of bounded size, narrowed
// by the field's validators; "" for none.
func limits(f fieldModel) (low, high string) {
	switch f.Kind.Name {
	case decimal.Name:
		low, high = "-999999999999999.9999", "999999999999999.9999"
	case "Integer":
		size, err := strconv.Atoi(strings.TrimLeft(f.Kind.GoType, "uint"))
		if err != nil { // int, uint
			size = 64
		}
		most := int64(1)<<(size-1) - 1
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

func deletedSchema() object {
	return object{
		"type": "object", "description": "What a delete did.",
		"properties": ordered{
			{"id", object{"type": "string", "description": "The id of the path, a UUID in lower case.", "examples": []any{exampleID("record")}}},
			{"deleted", object{"type": "boolean", "description": "Whether this request removed the record."}},
		},
		"required": []string{"id", "deleted"},
	}
}
