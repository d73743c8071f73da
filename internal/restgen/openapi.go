package restgen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// object is a JSON object of the description. encoding/json sorts its keys, so
// that the file changes only where the schemas do.
type object map[string]any

// description is the OpenAPI 3.1 document while it is written. Components come
// into it when something refers to them, so that none is left over.
type description struct {
	resources  []resource
	paths      object
	tags       []object
	schemas    object
	responses  object
	headers    object
	parameters object
	taken      map[string]owner // of names of components and operations, in lower case
	faults     []error
}

// describe writes the description of the resources.
func describe(resources []resource) ([]byte, error) {
	d := &description{
		resources: resources, paths: object{}, schemas: object{}, responses: object{}, headers: object{}, parameters: object{},
		taken: map[string]owner{},
	}
	d.addOwn()
	for _, r := range resources {
		d.add(r)
	}
	slices.SortFunc(d.tags, func(a, b object) int { return strings.Compare(a["name"].(string), b["name"].(string)) })
	if d.faults != nil {
		return nil, errors.Join(d.faults...)
	}
	return encode(object{
		"openapi":  "3.1.0",
		"info":     info(resources),
		"servers":  []object{{"url": "/api/v1", "description": "Version 1, on the server that this description comes from."}},
		"security": []object{{"key": []string{}}},
		"tags":     d.tags,
		"paths":    d.paths,
		"components": object{
			"schemas": d.schemas, "parameters": d.parameters, "headers": d.headers, "responses": d.responses,
			"securitySchemes": object{"key": object{"type": "http", "scheme": "bearer",
				"description": "An API key of the workspace, `wrk_…`. It decides which workspace a request is about."}},
		},
	}, "  ")
}

// add describes a resource: its tag, its schemas and its paths.
func (d *description) add(r resource) {
	if fault := pathFault(r.Type, r.Plural); fault != "" {
		d.refuse(r.owner(), fault)
		return
	}
	about := r.Doc
	if about == "" {
		about = "The " + r.words() + " of the workspace."
	}
	d.tag(r.Plural, about, r.owner())
	d.schema(r.Type, r, recordSchema(r))
	d.schema(r.Type+"List", r, listSchema(r))
	d.paths["/"+r.Plural] = d.listPath(r)
	d.paths["/"+r.Plural+"/{id}"] = d.itemPath(r)
}

func (d *description) tag(name, about string, whose owner) {
	d.claim("tag "+name, whose)
	d.tags = append(d.tags, object{"name": name, "description": about})
}

// owner is who has a name: a schema, with its place, or the API itself.
type owner struct{ name, place string }

var api = owner{name: "the API itself"}

func (r resource) owner() owner { return owner{r.Type, r.Place} }

// claim takes a name for a component or an operation. Generators of clients make
// types of one package of them all, whatever their case.
func (d *description) claim(name string, whose owner) {
	key := strings.ToLower(name)
	other, taken := d.taken[key]
	if !taken {
		d.taken[key] = whose
	}
	if !taken || other == whose {
		return
	}
	// The later schema is told to change, but the API's own names stay.
	if whose == api {
		whose, other = other, whose
	}
	d.refuse(whose, fmt.Sprintf("%s and %s both need the name %s: rename the schema, or give it another annotation.Plural", other.name, whose.name, name))
}

// refuse adds a fault of a schema, once.
func (d *description) refuse(whose owner, fault string) {
	err := fmt.Errorf("%s: %s", whose.place, fault)
	if !slices.ContainsFunc(d.faults, func(f error) bool { return f.Error() == err.Error() }) {
		d.faults = append(d.faults, err)
	}
}

// schema adds a schema of a resource.
func (d *description) schema(name string, r resource, s object) {
	d.claim(name, r.owner())
	d.schemas[name] = s
}

func ref(to string) object { return object{"$ref": "#/components/" + to} }

// ordered is a JSON object whose members keep their order, as in an answer.
type ordered []property

type property struct {
	name  string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o ordered) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, p := range o {
		if i > 0 {
			b = append(b, ',')
		}
		for _, part := range []any{p.name, p.value} {
			text, err := encode(part, "")
			if err != nil {
				return nil, err
			}
			b = append(append(b, bytes.TrimSpace(text)...), ':')
		}
		b = b[:len(b)-1]
	}
	return append(b, '}'), nil
}

// encode writes JSON in which <, > and & stand as they are.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}
