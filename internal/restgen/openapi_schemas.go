package restgen

import (
	"fmt"
	"slices"
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
		properties = append(properties, property{f.Name, inputProperty(f, create)})
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
	for _, told := range r.constraints() {
		about += " " + told
	}
	s := object{"type": "object", "description": about, "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// constraints are what holds for several fields, or several records.
func (r resource) constraints() []string {
	return slices.DeleteFunc([]string{r.uniqueTold(), r.rulesTold()}, func(s string) bool { return s == "" })
}

// uniqueTold says which values no two records of a workspace have.
func (r resource) uniqueTold() string {
	var sets []string
	for _, fields := range r.Unique {
		sets = append(sets, "the same `"+strings.Join(fields, "` with the same `")+"`")
	}
	if sets == nil {
		return ""
	}
	return "No two records of a workspace have " + strings.Join(sets, ", or ") + "; null is the same as no other."
}

// rulesTold says which rules over several fields the database holds a record to.
func (r resource) rulesTold() string {
	var texts []string
	for _, rule := range r.Rules {
		texts = append(texts, fmt.Sprintf("%s (`%s`)", rule.Name, rule.Text))
	}
	if texts == nil {
		return ""
	}
	return "What a record then has must keep to the rules " + strings.Join(texts, ", ") + "; a comparison with null breaks none."
}

// accepted are the fields that a body may have. One that can neither be changed
// nor be read has no place in an update.
func (r resource) accepted(create bool) []fieldModel {
	return slices.DeleteFunc(slices.Clone(r.Fields), func(f fieldModel) bool { return !create && f.Immutable && f.WriteOnly })
}

// inputProperty is the schema of a field in a body.
func inputProperty(f fieldModel, create bool) object {
	s := fieldSchema(f)
	if f.WriteOnly {
		s["writeOnly"] = true
	}
	if create && f.Default != nil {
		s["default"] = f.Default
	}
	if f.Immutable && !create {
		s["x-immutable"] = true // for programs, such as the comparison with a release
		words, _ := s["description"].(string)
		s["description"] = strings.TrimSpace(words + " Cannot be changed: only the value that the record has is accepted, so that it can be sent back.")
	}
	return s
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
