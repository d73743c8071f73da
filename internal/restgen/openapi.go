package restgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
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
	taken      map[string]string // names of components and operations, in lower case, and what has them
	faults     []string
}

// describe writes the description of the resources.
func describe(resources []resource) ([]byte, error) {
	d := &description{
		resources: resources, paths: object{}, schemas: object{}, responses: object{}, headers: object{}, parameters: object{},
		taken: map[string]string{},
	}
	d.addOwn()
	for _, r := range resources {
		d.add(r)
	}
	slices.SortFunc(d.tags, func(a, b object) int { return strings.Compare(a["name"].(string), b["name"].(string)) })
	if d.faults != nil {
		return nil, fmt.Errorf("the description of the API: %s", strings.Join(d.faults, "; "))
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

// pathForm is what a resource's path may be, so that it can be told in a name.
var pathForm = regexp.MustCompile(`^[a-z][a-z0-9]*([-_][a-z0-9]+)*$`)

// add describes a resource: its tag, its schemas and its paths.
func (d *description) add(r resource) {
	if !pathForm.MatchString(r.Plural) {
		d.faults = append(d.faults, fmt.Sprintf("%s has the path %q: annotation.Plural takes lower-case letters, digits, and single hyphens or underscores between them", r.Type, r.Plural))
		return
	}
	about := r.Doc
	if about == "" {
		about = "The " + r.words() + " of the workspace."
	}
	d.tag(r.Plural, about, r.Type)
	d.schema(r.Type, r, recordSchema(r))
	d.schema(r.Type+"List", r, listSchema(r))
	d.paths["/"+r.Plural] = d.listPath(r)
	d.paths["/"+r.Plural+"/{id}"] = d.itemPath(r)
}

func (d *description) tag(name, about, whose string) {
	d.claim("tag "+name, whose)
	d.tags = append(d.tags, object{"name": name, "description": about})
}

// claim takes a name for a component or an operation. Generators of clients make
// types of one package of them all, whatever their case.
func (d *description) claim(name, whose string) {
	key := strings.ToLower(name)
	if other, taken := d.taken[key]; taken && other != whose {
		d.faults = append(d.faults, fmt.Sprintf("%s and %s both need the name %s: rename one of the schemas, or give it another annotation.Plural", other, whose, name))
	}
	d.taken[key] = whose
}

// schema adds a schema of a resource.
func (d *description) schema(name string, r resource, s object) {
	d.claim(name, r.Type)
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
