package main

import (
	"maps"
	"strings"
	"testing"
)

type edit struct {
	name   string
	before func(document) // what the released description had, if not all of the present one
	now    func(document)
	want   string // in a sentence about it
}

func array(values ...any) []any { return append([]any{}, values...) }

// errorsOf says the codes of an operation's 400, if any, in a schema of its own.
func errorsOf(operation string, codes ...any) func(document) {
	return func(d document) {
		schema := map[string]any{
			"type": "object", "required": array("error", "message"),
			"properties": map[string]any{"error": map[string]any{"type": "string", "enum": codes}, "message": map[string]any{"type": "string"}},
		}
		if len(codes) == 0 {
			delete(schema["properties"].(map[string]any)["error"].(map[string]any), "enum")
		}
		answer := maps.Clone(d.at(operation + " responses 400"))
		answer["content"] = map[string]any{"application/json": map[string]any{"schema": schema}}
		d.at(operation + " responses")["400"] = answer
	}
}

// composedErrorsOf says the same by narrowing a schema that they share.
func composedErrorsOf(operation string, codes ...any) func(document) {
	return func(d document) {
		errorsOf(operation)(d)
		d.at(operation + " responses 400 content application/json")["schema"] = map[string]any{"allOf": array(
			map[string]any{"type": "object", "properties": map[string]any{"error": map[string]any{"type": "string"}}},
			map[string]any{"type": "object", "properties": map[string]any{"error": map[string]any{"enum": codes}}},
		)}
	}
}

func set(path, name string, value any) func(document) {
	return func(d document) { d.at(path)[name] = value }
}

func parameter(operation, name, member string, value any) func(document) {
	return func(d document) { d.parameter(operation, name)["schema"].(map[string]any)[member] = value }
}

func remove(path, name string) func(document) {
	return func(d document) { move(d.at(path), name, "") }
}

func rename(path, old, name string) func(document) {
	return func(d document) { move(d.at(path), old, name) }
}

var breaking = []edit{
	{"a path removed", nil, remove("paths", "/tasks/{id}"), "GET /tasks/{id}, PATCH /tasks/{id}: api path removed"},
	{"a path renamed", nil, rename("paths", "/deals", "/sown"), "GET /deals, POST /deals: "},
	{"an operation removed", nil, remove("paths /deals/{id}", "delete"), "DELETE /deals/{id}: "},
	{"a deprecated operation removed", set("paths /deals/{id} delete", "deprecated", true), remove("paths /deals/{id}", "delete"), "DELETE /deals/{id}: "},
	{"a method's name changed", nil, set(listTasks, "operationId", "tasksList"), "`tasksList`"},
	{"a type's name changed", set("components schemas", "Planted", map[string]any{"type": "string"}), rename("components schemas", "Planted", "Sown"), "`Planted`"},
	{"the base address moved", nil, func(d document) { d["servers"] = array(map[string]any{"url": "/api/v2"}) }, "`/api/v1`"},

	{"a parameter removed", nil, func(d document) { d.at(listTasks)["parameters"] = d.at(listTasks)["parameters"].([]any)[1:] }, "GET /tasks: "},
	{"a parameter renamed", nil, func(d document) { d.parameter(listTasks, "offset")["name"] = "skip" }, "`offset`"},
	{"a new required parameter", nil, func(d document) {
		all := d.at(listTasks)["parameters"].([]any)
		d.at(listTasks)["parameters"] = append(all, map[string]any{"name": "planted_region", "in": "query", "required": true, "schema": map[string]any{"type": "string"}})
	}, "`planted_region`"},
	{"a parameter newly required", nil, func(d document) { d.parameter(listTasks, "limit")["required"] = true }, "`limit`"},
	{"a path's parameter narrowed", nil, parameter(getTask, "id", "format", "uuid"), "`id`"},
	{"a parameter's type changed", nil, parameter(listTasks, "limit", "type", "string"), "`limit`"},
	{"a parameter's limit lowered", nil, parameter(listTasks, "limit", "maximum", 100), "`limit`"},
	{"a parameter's default changed", nil, parameter(listTasks, "limit", "default", 20), "`limit`"},

	{"a field of a request removed", nil, remove(body(createTask)+" properties", "priority"), "POST /tasks: "},
	{"a field of a request renamed", nil, rename(body(createTask)+" properties", "priority", "planted_urgency"), "`priority`"},
	{"a new required field", nil, func(d document) {
		s := d.at(body(createDeal))
		s["required"] = append(s["required"].([]any), "planted_region")
		d.at(body(createDeal) + " properties")["planted_region"] = map[string]any{"type": "string"}
	}, "`planted_region`"},
	{"a field newly required", nil, func(d document) {
		s := d.at(body(createDeal))
		s["required"] = append(s["required"].([]any), "stage")
	}, "`stage`"},
	{"a field no longer takes null", nil, set(body(updateContact)+" properties email", "type", "string"), "`email`"},
	{"a type of a request changed", nil, set(body(createDeal)+" properties stage", "type", "integer"), "`stage`"},
	{"a number narrowed to whole ones", nil, set(body(createDeal)+" properties value", "type", array("integer", "null")), "`value`"},
	{"a format of a request changed", nil, set(body(createTask)+" properties project_id", "format", "uri"), "`project_id`"},
	{"a format of a request added", nil, set(body(createContact)+" properties phone", "format", "e164"), "`phone`"},
	{"a length of a request lowered", nil, set(body(createContact)+" properties phone", "maxLength", 32), "POST /contacts: "},
	{"a length of a request set", nil, set(body(createDeal)+" properties owner_id", "maxLength", 30), "`owner_id`"},
	{"a least length of a request", nil, set(body(createContact)+" properties phone", "minLength", 3), "`phone`"},
	{"a pattern of a request", nil, set(body(createContact)+" properties phone", "pattern", "^[0-9]+$"), "`phone`"},
	{"a request becomes one of a few values", nil, set(body(createTask)+" properties status", "enum", array("open", "done", nil)), "`status`"},
	{"a value no longer taken", set(body(createTask)+" properties status", "enum", array("open", "done")), set(body(createTask)+" properties status", "enum", array("open")), "`done`"},
	{"a least number raised", nil, set(body(createDeal)+" properties value", "minimum", 0), "`value`"},
	{"a field's default changed", set(body(createTask)+" properties status", "default", "open"), set(body(createTask)+" properties status", "default", "new"), "`status`"},
	{"an object of a request closed", set(body(createTask)+" properties", "planted_more", map[string]any{"type": "object"}), set(body(createTask)+" properties planted_more", "additionalProperties", false), "`planted_more`"},
	{"an object of a request typed", set(body(createTask)+" properties", "planted_more", map[string]any{"type": "object"}), set(body(createTask)+" properties planted_more", "additionalProperties", map[string]any{"type": "string"}), "`planted_more`"},
	{"a list's texts of a request shortened", set(body(createTask)+" properties", "planted_labels", map[string]any{"type": "array", "items": map[string]any{"type": "string"}}), set(body(createTask)+" properties planted_labels items", "maxLength", 20), "`planted_labels/items/`"},
	{"a field that becomes immutable", nil, set(body(updateContact)+" properties phone", "x-immutable", true), "PATCH /contacts/{id}: the request's `phone` can no longer be changed"},
	{"a media type of a request removed", nil, remove("paths /contacts/{id} patch requestBody content", "application/merge-patch+json"), "`application/merge-patch+json`"},

	{"a field of an answer removed", nil, remove(answer(getTask, "200")+" properties", "priority"), "`priority`"},
	{"a field of an answer renamed", nil, rename(answer(getTask, "200")+" properties", "priority", "planted_urgency"), "`priority`"},
	{"a field of an answer made optional", nil, func(d document) {
		s := d.at(answer(getTask, "200"))
		s["required"] = without(s["required"], "priority")
	}, "`priority`"},
	{"an optional field of an answer removed", func(d document) {
		d.at(answer(getTask, "200") + " properties")["planted_note"] = map[string]any{"type": "string"}
	}, func(d document) { delete(d.at(answer(getTask, "200")+" properties"), "planted_note") }, "`planted_note`"},
	{"a field of an answer may be null", nil, set(answer(getTask, "200")+" properties name", "type", array("string", "null")), "`name`"},
	{"a type of an answer changed", nil, set(answer(getTask, "200")+" properties status", "type", array("integer", "null")), "`status`"},
	{"a type of an answer widened", nil, set(answer(listTasks, "200")+" properties count", "type", "number"), "`count`"},
	{"a format of an answer removed", nil, remove(answer(getTask, "200")+" properties project_id", "format"), "`project_id`"},
	{"a format of an answer changed", nil, set(answer(getTask, "200")+" properties created_at", "format", "date"), "`created_at`"},
	{"a number of an answer becomes a whole one", nil, set(answer("paths /deals/{id} get", "200")+" properties value", "type", array("integer", "null")), "`value`"},
	{"an answer has a new value", set(answer(getTask, "200")+" properties status", "enum", array("open", "done")), set(answer(getTask, "200")+" properties status", "enum", array("open", "done", "late")), "`late`"},
	{"a field of a list's records removed", nil, remove(answer(listTasks, "200")+" properties data items properties", "due_date"), "`data/items/due_date`"},
	{"a member of a list renamed", nil, rename(answer(listTasks, "200")+" properties", "count", "total"), "`count`"},

	{"a successful status changed", nil, rename(createTask+" responses", "201", "200"), "`201`"},
	{"a failing status removed", nil, remove(listTasks+" responses", "429"), "`429`"},
	{"an error code removed", errorsOf(createTask, "invalid_json", "validation_failed"), errorsOf(createTask, "validation_failed"), "`invalid_json`"},
	{"an error code renamed", errorsOf(createTask, "invalid_json"), errorsOf(createTask, "bad_json"), "`invalid_json`"},
	{"an error code removed from a composed schema", composedErrorsOf(createTask, "invalid_json", "validation_failed"), composedErrorsOf(createTask, "validation_failed"), "`invalid_json`"},
	{"a header of an answer removed", nil, remove(createTask+" responses 201 headers", "Location"), "`Location`"},
	{"a header's type changed", nil, set(listTasks+" responses 200 headers X-RateLimit-Limit schema", "type", "string"), "`X-RateLimit-Limit`"},
	{"a header of a failure removed", nil, remove(listTasks+" responses 429 headers", "Retry-After"), "`Retry-After`"},
	{"a media type of a request changed", nil, rename("paths /contacts post requestBody content", "application/json", "application/vnd.api+json"), "`application/json`"},
	{"a media type of an answer changed", nil, rename(getTask+" responses 200 content", "application/json", "application/vnd.api+json"), "`application/json`"},

	{"a key is needed newly", set(listTasks, "security", array()), func(d document) { delete(d.at(listTasks), "security") }, "stricter"},
	{"a scope is needed newly", nil, set(listTasks, "security", array(map[string]any{"key": array("write")})), "stricter"},
	{"a second key is needed newly", set("components securitySchemes", "planted", map[string]any{"type": "http", "scheme": "basic"}), set(listTasks, "security", array(map[string]any{"key": array(), "planted": array()})), "stricter"},
	{"a key is sent otherwise", nil, set("components securitySchemes key", "scheme", "basic"), "stricter"},
}

func TestBreaks(t *testing.T) {
	t.Parallel()
	for _, e := range breaking {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			breaks := compared(t, e)
			if !strings.Contains(strings.Join(breaks, "\n"), e.want) {
				t.Errorf("want a sentence with %q, not %q", e.want, breaks)
			}
		})
	}
}

var gains = []edit{
	{name: "nothing", now: func(document) {}},
	{name: "a new path", now: func(d document) { d.at("paths")["/planted"] = map[string]any{"get": newOperation("listPlanted")} }},
	{name: "a new operation", now: func(d document) { d.at("paths /invoices/{id}")["put"] = newOperation("createPlanted") }},
	{name: "a new optional parameter", now: func(d document) {
		all := d.at(listTasks)["parameters"].([]any)
		d.at(listTasks)["parameters"] = append(all, map[string]any{"name": "planted_status", "in": "query", "schema": map[string]any{"type": "string", "default": "any"}})
	}},
	{name: "a higher limit of a parameter", now: parameter(listTasks, "limit", "maximum", 500)},
	{name: "a new optional field of a request", now: set(body(createTask)+" properties", "planted_estimate", map[string]any{"type": array("integer", "null"), "minimum": 0})},
	{name: "a new field of an answer, always there", now: func(d document) {
		s := d.at(answer(getTask, "200"))
		s["required"] = append(s["required"].([]any), "planted_estimate")
		d.at(answer(getTask, "200") + " properties")["planted_estimate"] = map[string]any{"type": array("integer", "null")}
	}},
	{name: "a new field of an answer, sometimes there", now: set(answer(listTasks, "200")+" properties", "planted_next", map[string]any{"type": "string"})},
	{name: "a longer text, in requests and in answers", now: func(d document) {
		for _, at := range []string{body(createContact), body(updateContact), answer(createContact, "201")} {
			d.at(at + " properties phone")["maxLength"] = 128
		}
	}},
	{name: "a text without a limit", now: func(d document) {
		for _, at := range []string{body(createContact), body(updateContact), answer(createContact, "201")} {
			delete(d.at(at+" properties phone"), "maxLength")
		}
	}},
	{name: "a new immutable field", now: set(body(updateContact)+" properties", "planted_code", map[string]any{"type": array("string", "null"), "x-immutable": true})},
	{name: "a field that can be changed from now on", before: set(body(updateContact)+" properties phone", "x-immutable", true), now: func(d document) { delete(d.at(body(updateContact)+" properties phone"), "x-immutable") }},
	{name: "a field no longer required", now: func(d document) {
		s := d.at(body(createTask))
		s["required"] = without(s["required"], "name")
	}},
	{name: "a request may be null", now: set(body(createTask)+" properties name", "type", array("string", "null"))},
	{name: "a request takes more types", now: set(body(createTask)+" properties status", "type", array("string", "integer", "null"))},
	{name: "a pattern of a request dropped", before: set(body(createContact)+" properties phone", "pattern", "^[0-9]+$"), now: func(d document) { delete(d.at(body(createContact)+" properties phone"), "pattern") }},
	{name: "another value taken", before: set(body(createTask)+" properties status", "enum", array("open")), now: set(body(createTask)+" properties status", "enum", array("open", "done"))},
	{name: "an answer is never null", now: set(answer(getTask, "200")+" properties status", "type", "string")},
	{name: "an object of a request opened", before: set(body(createTask)+" properties", "planted_more", map[string]any{"type": "object", "additionalProperties": false}), now: func(d document) { delete(d.at(body(createTask)+" properties planted_more"), "additionalProperties") }},
	{name: "a format of an answer that is said", now: set(answer(listTasks, "200")+" properties limit", "format", "int32")},
	{name: "a header's format that is said", now: set(listTasks+" responses 200 headers X-RateLimit-Limit schema", "format", "int64")},
	{name: "a new media type of a request", now: func(d document) {
		content := d.at(createTask + " requestBody content")
		content["application/yaml"] = content["application/json"]
	}},
	{name: "a new failing status", now: set(getTask+" responses", "418", map[string]any{"description": "A teapot."})},
	{name: "a new error code", before: errorsOf(createTask, "invalid_json"), now: errorsOf(createTask, "invalid_json", "too_many_fields")},
	{name: "a new error code in a composed schema", before: composedErrorsOf(createTask, "invalid_json"), now: composedErrorsOf(createTask, "invalid_json", "too_many_fields")},
	{name: "error codes that are said", before: errorsOf(createTask), now: errorsOf(createTask, "invalid_json", "validation_failed")},
	{name: "a new header of an answer", now: set(getTask+" responses 200 headers", "X-Planted", map[string]any{"schema": map[string]any{"type": "string"}})},
	{name: "another way in", before: set("components securitySchemes", "planted", map[string]any{"type": "http", "scheme": "basic"}), now: set(listTasks, "security", array(map[string]any{"key": array()}, map[string]any{"planted": array()}))},
	{name: "no key needed", now: set(listTasks, "security", array(map[string]any{}))},
	{name: "a deprecated operation", now: set(listTasks, "deprecated", true)},
	{name: "a deprecated field", now: set(body(createTask)+" properties priority", "deprecated", true)},
	{name: "other words", now: func(d document) {
		d.at(listTasks)["summary"], d.at(listTasks)["description"], d.at(listTasks)["tags"] = "Other", "Words", array("other")
		d.at(body(createTask) + " properties name")["examples"] = array("Other")
		d.at("info")["description"], d.at("info")["version"] = "Words", "1.1.0"
		d.at("components securitySchemes key")["bearerFormat"] = "wrk"
	}},
	{name: "another server", now: func(d document) {
		d["servers"] = append(d["servers"].([]any), map[string]any{"url": "https://example.com/api/v1"})
	}},
}

func newOperation(id string) map[string]any {
	return map[string]any{"operationId": id, "responses": map[string]any{"200": map[string]any{"description": ""}}}
}

func TestGains(t *testing.T) {
	t.Parallel()
	for _, e := range gains {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			if breaks := compared(t, e); len(breaks) > 0 {
				t.Errorf("refused: %q", breaks)
			}
		})
	}
}

func compared(t *testing.T, e edit) []string {
	t.Helper()
	d := present(t)
	if e.before != nil {
		e.before(d)
	}
	before := d.text(t)
	e.now(d)
	breaks, err := Breaks(before, d.text(t))
	if err != nil {
		t.Fatal(err)
	}
	return breaks
}
