package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
)

// unseen are the changes that break a client and that the library has no rule
// for, or a rule that is not ours.
func unseen(before, now *openapi3.T) []change {
	var changes []change
	for _, s := range before.Servers {
		if !slices.ContainsFunc(now.Servers, func(n *openapi3.Server) bool { return n.URL == s.URL }) {
			changes = append(changes, change{"the API", fmt.Sprintf("the base address `%s` was removed", s.URL)})
		}
	}
	operations(before, now, func(place string, a, b *openapi3.Operation) {
		for _, what := range slices.Concat(mediaTypes(a, b), bodies(a, b), errorCodes(a, b), security(before, now, a, b)) {
			changes = append(changes, change{place, what})
		}
	})
	return changes
}

// mediaTypes are those that an operation no longer takes or answers. To the
// library application/json and application/vnd.api+json are alike.
func mediaTypes(before, now *openapi3.Operation) []string {
	var whats []string
	if a, b := before.RequestBody, now.RequestBody; a != nil && b != nil {
		for _, name := range lost(a.Value.Content, b.Value.Content) {
			whats = append(whats, fmt.Sprintf("the media type `%s` was removed from the request", name))
		}
	}
	for _, status := range slices.Sorted(maps.Keys(before.Responses.Map())) {
		if b := now.Responses.Value(status); b != nil {
			for _, name := range lost(before.Responses.Value(status).Value.Content, b.Value.Content) {
				whats = append(whats, fmt.Sprintf("the media type `%s` was removed from the answer with the status `%s`", name, status))
			}
		}
	}
	return whats
}

// lost are the media types of a that b lacks.
func lost(a, b openapi3.Content) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(a)), func(name string) bool { return b[name] != nil })
}

// bodies are what a request's body may no longer hold, and the library does not
// see: members of any name and type, and a value of a field that is immutable
// now.
func bodies(before, now *openapi3.Operation) []string {
	if before.RequestBody == nil || now.RequestBody == nil {
		return nil
	}
	var whats []string
	for media, a := range before.RequestBody.Value.Content {
		if b := now.RequestBody.Value.Content[media]; b != nil {
			whats = append(whats, narrowed("the request", a.Schema, b.Schema)...)
		}
	}
	slices.Sort(whats)
	return slices.Compact(whats)
}

func narrowed(name string, before, now *openapi3.SchemaRef) []string {
	if before == nil || now == nil || before.Value == nil || now.Value == nil {
		return nil
	}
	var whats []string
	if isOpen(before.Value) && !isOpen(now.Value) {
		whats = append(whats, fmt.Sprintf("%s no longer takes additional members of any name and type", name))
	}
	if !isImmutable(before.Value) && isImmutable(now.Value) {
		whats = append(whats, fmt.Sprintf("%s can no longer be changed", name))
	}
	for property, a := range before.Value.Properties {
		whats = append(whats, narrowed("the request's `"+property+"`", a, now.Value.Properties[property])...)
	}
	return append(whats, narrowed(name, before.Value.Items, now.Value.Items)...)
}

// isImmutable reads what the generator says of a field that an update may only
// repeat.
func isImmutable(s *openapi3.Schema) bool { return s.Extensions["x-immutable"] == true }

func isOpen(s *openapi3.Schema) bool {
	more := s.AdditionalProperties
	return more.Schema == nil && (more.Has == nil || *more.Has)
}

// errorCodes are the codes that an operation no longer gives. v1 may gain some,
// so that a client must be ready for codes that it does not know.
func errorCodes(before, now *openapi3.Operation) []string {
	var whats []string
	for _, status := range slices.Sorted(maps.Keys(before.Responses.Map())) {
		present := codesOf(now.Responses.Value(status))
		for _, code := range codesOf(before.Responses.Value(status)) {
			if !slices.Contains(present, code) {
				whats = append(whats, fmt.Sprintf("the error code `%v` was removed from the answer with the status `%s`", code, status))
			}
		}
	}
	return whats
}

// codesOf are the values that `error` may have in an answer, none if it is not
// said.
func codesOf(r *openapi3.ResponseRef) []any {
	if r == nil || r.Value == nil {
		return nil
	}
	var codes []any
	for _, media := range r.Value.Content {
		codes = append(codes, valuesOf(media.Schema, "error")...)
	}
	return codes
}

// valuesOf are the values that a property of a schema may have.
func valuesOf(s *openapi3.SchemaRef, property string) []any {
	if s == nil || s.Value == nil {
		return nil
	}
	var all []any
	if p := s.Value.Properties[property]; p != nil && p.Value != nil {
		all = append(all, p.Value.Enum...)
		if p.Value.Const != nil {
			all = append(all, p.Value.Const)
		}
	}
	for _, part := range slices.Concat(s.Value.OneOf, s.Value.AnyOf, s.Value.AllOf) {
		all = append(all, valuesOf(part, property)...)
	}
	return all
}

// isErrorCode reports whether a change is about the values of `error` in the
// answer to a request that failed, which errorCodes looks at.
func isErrorCode(c checker.Change) bool {
	id := c.GetId()
	if !strings.HasPrefix(id, "response-property-enum-") && !strings.HasPrefix(id, "response-property-const-") {
		return false
	}
	isError := func(x any) bool { return fmt.Sprint(x) == "error" }
	failed := func(x any) bool { s := fmt.Sprint(x); return len(s) == 3 && (s[0] == '4' || s[0] == '5') }
	return slices.ContainsFunc(c.GetArgs(), isError) && slices.ContainsFunc(c.GetArgs(), failed)
}
