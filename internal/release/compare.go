package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	oasdiff "github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

// Breaks returns what in the description now would break a client that was
// written for the description before, one sentence for each, none if v1 has
// only gained. Both are OpenAPI documents in JSON. Words that only explain
// (descriptions, examples, tags) are no contract.
func Breaks(before, now []byte) ([]string, error) {
	old, err := parse("the released description", before)
	if err != nil {
		return nil, err
	}
	present, err := parse("the description", now)
	if err != nil {
		return nil, err
	}
	changes, err := judged(old, present)
	if err != nil {
		return nil, err
	}
	places := map[string][]string{} // by what happened there
	for _, c := range append(changes, unseen(old.Spec, present.Spec)...) {
		places[c.what] = append(places[c.what], c.place)
	}
	var breaks []string
	for what, at := range places {
		breaks = append(breaks, placesText(at)+": "+what)
	}
	slices.Sort(breaks)
	return breaks, nil
}

// placesText names some places; a part that all operations share is at dozens.
func placesText(places []string) string {
	slices.Sort(places)
	places = slices.Compact(places)
	const most = 6
	if len(places) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(places[:most], ", "), len(places)-most)
	}
	return strings.Join(places, ", ")
}

// change is something that happened to an operation or to the whole API.
type change struct{ place, what string }

func parse(name string, text []byte) (*load.SpecInfo, error) {
	spec, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	info := []*load.SpecInfo{{Url: name, Spec: spec, Version: spec.Info.Version}}
	// A schema put together by allOf is one schema, and what a path says of its
	// parameters each operation says.
	for _, flatten := range []load.Option{load.WithFlattenAllOf(), load.WithFlattenParams()} {
		if info, err = flatten(nil, info); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return info[0], nil
}

// judged are the changes that the library knows to break a client, by our
// judgement of each of its rules.
func judged(before, now *load.SpecInfo) ([]change, error) {
	report, sources, err := oasdiff.GetWithOperationsSourcesMap(oasdiff.NewConfig(), before, now)
	if err != nil {
		return nil, fmt.Errorf("comparing the descriptions: %w", err)
	}
	config := checker.NewConfig(checker.GetAllChecks(), checker.WithSeverityLevels(levels()))
	var changes []change
	for _, c := range checker.CheckBackwardCompatibilityUntilLevel(config, report, sources, checker.WARN) {
		if isErrorCode(c) || isMorePrecise(c) {
			continue
		}
		place := strings.TrimSpace(c.GetOperation() + " " + c.GetPath())
		if place == "" {
			place = "the API"
		}
		// A deprecation makes no difference in v1.
		what := strings.TrimSuffix(strings.TrimSuffix(c.GetUncolorizedText(checker.NewDefaultLocalizer()), " without deprecation"), " with deprecation")
		changes = append(changes, change{place, what})
	}
	return changes, nil
}

// operations calls f for each operation that both descriptions have.
func operations(before, now *openapi3.T, f func(place string, before, now *openapi3.Operation)) {
	for _, path := range slices.Sorted(maps.Keys(before.Paths.Map())) {
		item := now.Paths.Value(path)
		if item == nil {
			continue
		}
		for method, operation := range before.Paths.Value(path).Operations() {
			if present := item.GetOperation(method); present != nil {
				f(method+" "+path, operation, present)
			}
		}
	}
}
