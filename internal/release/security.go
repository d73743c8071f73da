package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// security says whether a caller who was let in before is no longer. Each way
// in that there was must still be one, and may ask for no more than before.
func security(before, now *openapi3.T, a, b *openapi3.Operation) []string {
	present := waysIn(now, b)
	for _, way := range waysIn(before, a) {
		enough := func(w openapi3.SecurityRequirement) bool {
			for scheme, scopes := range w {
				had, ok := way[scheme]
				if !ok || !sameScheme(before, now, scheme) || slices.ContainsFunc(scopes, func(s string) bool { return !slices.Contains(had, s) }) {
					return false
				}
			}
			return true
		}
		if !slices.ContainsFunc(present, enough) {
			return []string{fmt.Sprintf("the security became stricter: %s is no longer enough", wayText(way))}
		}
	}
	return nil
}

// waysIn are the alternatives of an operation; no key at all is one, too.
func waysIn(spec *openapi3.T, o *openapi3.Operation) openapi3.SecurityRequirements {
	ways := spec.Security
	if o.Security != nil {
		ways = *o.Security
	}
	if len(ways) == 0 {
		return openapi3.SecurityRequirements{{}}
	}
	return ways
}

func wayText(way openapi3.SecurityRequirement) string {
	if len(way) == 0 {
		return "a request without a key"
	}
	return "`" + strings.Join(slices.Sorted(maps.Keys(way)), "` with `") + "`"
}

// sameScheme reports whether a key is still sent in the same way.
func sameScheme(before, now *openapi3.T, name string) bool {
	a, b := before.Components.SecuritySchemes[name], now.Components.SecuritySchemes[name]
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a.Value, *b.Value
	for _, s := range []*openapi3.SecurityScheme{&x, &y} {
		s.Description, s.BearerFormat, s.Extensions, s.Origin = "", "", nil, nil
	}
	return reflect.DeepEqual(x, y)
}
