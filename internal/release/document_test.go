package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// document is an OpenAPI description that a test edits.
type document map[string]any

// present is a copy of the description as it is, whatever that may be.
func present(t *testing.T) document {
	t.Helper()
	text, err := os.ReadFile("../../ent/rest/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d document) text(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// at is the object at a path of names separated by spaces. It goes through
// references, and into the parts of allOf.
func (d document) at(path string) map[string]any {
	found, _ := d.find(map[string]any(d), strings.Fields(path)).(map[string]any)
	if found == nil {
		panic("the description has no " + path)
	}
	return found
}

func (d document) find(node any, path []string) any {
	if n, ok := node.(map[string]any); ok {
		if ref, ok := n["$ref"].(string); ok {
			return d.find(map[string]any(d), append(strings.Split(strings.TrimPrefix(ref, "#/"), "/"), path...))
		}
	}
	if len(path) == 0 {
		return node
	}
	n, ok := node.(map[string]any)
	if !ok {
		return nil
	}
	if child, ok := n[path[0]]; ok {
		if found := d.find(child, path[1:]); found != nil {
			return found
		}
	}
	parts, _ := n["allOf"].([]any)
	for _, part := range parts {
		if found := d.find(part, path); found != nil {
			return found
		}
	}
	return nil
}

// Where the parts of an operation are.

func body(operation string) string {
	return operation + " requestBody content application/json schema"
}

func answer(operation, status string) string {
	return operation + " responses " + status + " content application/json schema"
}

const (
	listTasks     = "paths /tasks get"
	createTask    = "paths /tasks post"
	createDeal    = "paths /deals post"
	createContact = "paths /contacts post"
	updateContact = "paths /contacts/{id} patch"
	getTask       = "paths /tasks/{id} get"
)

// parameter is a parameter of an operation, or of its path.
func (d document) parameter(operation, name string) map[string]any {
	for _, at := range []string{operation, operation[:strings.LastIndex(operation, " ")]} {
		all, _ := d.at(at)["parameters"].([]any)
		for _, p := range all {
			if found := d.find(p, nil).(map[string]any); found["name"] == name {
				return found
			}
		}
	}
	panic(operation + " has no parameter " + name)
}

// without is a list of strings less one, which it must hold.
func without(list any, s string) []any {
	var rest []any
	for _, x := range list.([]any) {
		if x != s {
			rest = append(rest, x)
		}
	}
	if len(rest) == len(list.([]any)) {
		panic("there is no " + s)
	}
	return rest
}

// move gives a member another name, or takes it away where the name is "".
func move(object map[string]any, old, name string) {
	value, ok := object[old]
	if !ok {
		panic("there is no " + old)
	}
	if name != "" {
		object[name] = value
	}
	delete(object, old)
}
