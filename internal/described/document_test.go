package described

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	entrest "records/ent/rest"
)

// document is the description as far as these tests look at it, its values as
// they stand there.
type document struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Schemas    map[string]schema
		Responses  map[string]response
		Parameters map[string]parameter
	}
}

type operation struct {
	OperationID string
	Parameters  []parameter
	RequestBody struct{ Content map[string]content }
	Responses   map[string]response
}

type parameter struct {
	Ref    string `json:"$ref"`
	Name   string
	Schema schema
}

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]content
}

type content struct {
	Schema struct {
		Ref string `json:"$ref"`
	}
	Examples map[string]struct{ Value json.RawMessage }
}

// schema is that of a body or of a field.
type schema struct {
	Type                         any
	Format, Pattern, Description string
	MinLength, MaxLength         int
	Minimum, Maximum             json.Number
	Enum                         []any
	Examples                     []json.RawMessage
	ReadOnly                     bool
	Required                     []string
	Properties                   map[string]schema
}

// read returns the description that the program serves.
func read(t *testing.T) document {
	t.Helper()
	var d document
	decoder := json.NewDecoder(bytes.NewReader(entrest.OpenAPI))
	decoder.UseNumber()
	if err := decoder.Decode(&d); err != nil {
		t.Fatal(err)
	}
	return d
}

// described is an operation where it stands.
type described struct {
	operation
	method, path, plural string
}

// of returns the operations of a resource, by what they do: list, create, get,
// update, delete. The plural "" has the operations of no resource.
func (d document) of(t *testing.T, plural string) map[string]described {
	t.Helper()
	verbs := map[string]string{"get": "list", "post": "create", "get/{id}": "get", "patch/{id}": "update", "delete/{id}": "delete"}
	found := map[string]described{}
	for _, path := range []string{"/" + plural, "/" + plural + "/{id}"} {
		for method, raw := range d.Paths[path] {
			if method == "parameters" {
				continue
			}
			o := described{method: strings.ToUpper(method), path: path, plural: plural}
			if err := json.Unmarshal(raw, &o.operation); err != nil {
				t.Fatal(err)
			}
			found[verbs[method+strings.TrimPrefix(path, "/"+plural)]] = o
		}
	}
	return found
}

// response is what an operation says of a status.
func (d document) response(o operation, status string) response {
	r := o.Responses[status]
	if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
		return d.Components.Responses[name]
	}
	return r
}

// input is the schema of an operation's body.
func (d document) input(o operation) schema {
	return d.Components.Schemas[strings.TrimPrefix(o.RequestBody.Content["application/json"].Schema.Ref, "#/components/schemas/")]
}

// answers are the examples of an answer.
func (d document) answers(o operation, status string) map[string]string {
	return texts(d.response(o, status).Content["application/json"])
}

func texts(c content) map[string]string {
	out := map[string]string{}
	for name, e := range c.Examples {
		out[name] = string(e.Value)
	}
	return out
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
