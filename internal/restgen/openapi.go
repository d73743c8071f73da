package restgen

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object of the description; encoding/json sorts its keys, so
// that the file changes only where the schemas do.
type object map[string]any

// describe writes the OpenAPI 3.1 description of the resources.
func describe(resources []resource) ([]byte, error) {
	paths, schemas, tags := object{}, object{"Error": errorSchema(), "Deleted": deletedSchema()}, []object{}
	for _, r := range resources {
		tags = append(tags, object{"name": r.Plural})
		paths["/"+r.Plural] = listPath(r)
		paths["/"+r.Plural+"/{id}"] = itemPath(r)
		schemas[r.Type] = recordSchema(r)
		schemas[r.Type+"List"] = listSchema(r)
		if !r.ReadOnly {
			schemas[r.Type+"Create"] = inputSchema(r, true)
			schemas[r.Type+"Update"] = inputSchema(r, false)
		}
	}
	document := object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Workspace Records", "version": "1.0.0",
			"description": "Tasks, projects, deals, contacts, companies and invoices of one workspace, which the API key fixes.",
		},
		"servers":  []object{{"url": "/api/v1"}},
		"security": []object{{"key": []string{}}},
		"tags":     tags,
		"paths":    paths,
		"components": object{
			"schemas":         schemas,
			"parameters":      parameters(),
			"headers":         headers(),
			"responses":       responses(),
			"securitySchemes": object{"key": object{"type": "http", "scheme": "bearer", "description": "An API key of the workspace, `wrk_…`."}},
		},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(document)
	return b.Bytes(), err
}

func listPath(r resource) object {
	path := object{"get": operation("list", r, "List "+r.Plural+", newest first", object{
		"parameters": []object{ref("parameters/limit"), ref("parameters/offset")},
		"responses":  answers("200", "One page of "+r.Plural+".", r.Type+"List", "400", "401", "429", "500", "503"),
	})}
	if !r.ReadOnly {
		post := answers("201", "The new record.", r.Type, "400", "401", "403", "408", "409", "413", "415", "429", "500", "503")
		post["201"].(object)["headers"].(object)["Location"] = ref("headers/Location")
		path["post"] = operation("create", r, "Create a "+r.Name, object{
			"requestBody": body(r.Type+"Create", "application/json"), "responses": post})
	}
	return path
}

func itemPath(r resource) object {
	path := object{
		"parameters": []object{ref("parameters/id")},
		"get": operation("get", r, "Get a "+r.Name, object{
			"responses": answers("200", "The record.", r.Type, "400", "401", "404", "429", "500", "503")}),
	}
	if !r.ReadOnly {
		path["patch"] = operation("update", r, "Update a "+r.Name, object{
			"description": "A field left out stays as it is; null clears it (RFC 7396).",
			"requestBody": body(r.Type+"Update", "application/json", "application/merge-patch+json"),
			"responses":   answers("200", "The record as it now is.", r.Type, "400", "401", "403", "404", "408", "409", "413", "415", "429", "500", "503")})
		path["delete"] = operation("delete", r, "Delete a "+r.Name, object{
			"description": "What refers to the record is set to null. There is no 404: `deleted` is false when nothing was removed.",
			"responses":   answers("200", "Whether the record was removed.", "Deleted", "400", "401", "403", "429", "500", "503")})
	}
	return path
}

func operation(verb string, r resource, summary string, more object) object {
	name := r.Type
	if verb == "list" {
		name = strings.ToUpper(r.Plural[:1]) + r.Plural[1:]
	}
	more["operationId"], more["summary"], more["tags"] = verb+name, summary, []string{r.Plural}
	return more
}

// answers lists the responses of an operation: the good one, then the errors.
func answers(status, description, schema string, errors ...string) object {
	out := object{status: object{
		"description": description, "headers": standardHeaders(),
		"content": object{"application/json": object{"schema": ref("schemas/" + schema)}},
	}}
	for _, e := range errors {
		out[e] = ref("responses/" + e)
	}
	return out
}

func body(schema string, types ...string) object {
	content := object{}
	for _, t := range types {
		content[t] = object{"schema": ref("schemas/" + schema)}
	}
	return object{"required": true, "content": content}
}

func ref(to string) object { return object{"$ref": "#/components/" + to} }

func recordSchema(r resource) object {
	properties := object{
		"id":         object{"type": "string", "format": "uuid", "description": "Made by the server; ids sort by time."},
		"created_at": object{"type": "string", "format": "date-time"},
		"updated_at": object{"type": "string", "format": "date-time"},
	}
	required := []string{"id"}
	for _, f := range r.Shown() {
		properties[f.Name] = fieldSchema(f)
		required = append(required, f.Name)
	}
	return object{"type": "object", "properties": properties, "required": append(required, "created_at", "updated_at")}
}

func listSchema(r resource) object {
	return object{
		"type": "object",
		"properties": object{
			"data":   object{"type": "array", "items": ref("schemas/" + r.Type)},
			"limit":  object{"type": "integer", "minimum": 1, "maximum": 200},
			"offset": object{"type": "integer", "format": "int64", "minimum": 0},
			"count":  object{"type": "integer", "format": "int64", "minimum": 0, "description": "The exact number of records in the workspace."},
		},
		"required": []string{"data", "limit", "offset", "count"},
	}
}

// inputSchema is the body of a create or an update. It leaves out that unknown
// fields are refused, since a fetched record may be sent back whole.
func inputSchema(r resource, create bool) object {
	properties, required := object{}, []string{}
	for _, f := range r.Fields {
		if f.Immutable && f.WriteOnly && !create {
			continue // there is nothing to send back
		}
		properties[f.Name] = inputProperty(f, create)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	schema := object{"type": "object", "properties": properties}
	if create {
		schema["required"] = required
	}
	return schema
}

// inputProperty is a field in a body: a field that is only taken says so, and
// an immutable one in the body of an update.
func inputProperty(f fieldModel, create bool) object {
	s := fieldSchema(f)
	if f.WriteOnly {
		s["writeOnly"] = true
	}
	if f.Immutable && !create {
		words, _ := s["description"].(string)
		s["description"] = strings.TrimSpace(words + " Cannot be changed: only the value that the record has is accepted, so that it can be sent back.")
	}
	return s
}

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
	if f.Required && f.Kind == text {
		s["minLength"] = 1
	}
	if f.Reference != nil {
		s["description"] = "The id of a " + f.Reference.Name + " of the same workspace."
	}
	if len(f.Examples) > 0 {
		s["examples"] = []any{example(f)}
	}
	return s
}

// enumValues are the values that an enum field can have.
func enumValues(f fieldModel) (values []any) {
	for _, e := range f.Enums {
		values = append(values, e.Value)
	}
	if f.Nullable {
		values = append(values, nil)
	}
	return values
}

// example is the first example in the JSON type of the field.
func example(f fieldModel) any {
	if f.Kind.JSON == "string" {
		return f.Examples[0]
	}
	return json.RawMessage(f.Examples[0])
}
