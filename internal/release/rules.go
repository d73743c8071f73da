package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/oasdiff/oasdiff/checker"
)

// levels is where we judge otherwise than the library, whose default is an
// error or a warning for what breaks a client.
func levels() map[string]checker.Level {
	levels := map[string]checker.Level{}
	for _, rule := range checker.GetAllRules() {
		switch {
		case slices.Contains(stricter, rule.Id):
			levels[rule.Id] = checker.ERR
		case looserAnswer.MatchString(rule.Id), unseenRules.MatchString(rule.Id):
			levels[rule.Id] = checker.INFO
		}
	}
	return levels
}

// stricter are rules that the library leaves to taste.
var stricter = []string{
	// Clients are generated: these are the names of their methods and types.
	"api-operation-id-removed", "api-schema-removed",
	// Deprecated or not, what is in v1 stays in v1.
	"api-path-removed-with-deprecation", "api-removed-with-deprecation", "request-parameter-removed-with-deprecation",
	// A client tells failures apart by their status, and reads these headers.
	"response-non-success-status-removed", "optional-response-header-removed",
	// An optional field of an answer is read where it is there.
	"response-optional-property-removed", "response-optional-property-became-write-only", "response-required-property-became-write-only",
	// The same value in another type or form, such as a date for a timestamp; but
	// see isMorePrecise.
	"response-body-type-specialized", "response-property-type-specialized", "response-header-type-specialized",
	"response-body-type-compatible", "response-property-type-compatible", "response-header-type-compatible",
	"request-parameter-type-generalized",
	// A field that is no longer taken.
	"request-optional-property-became-read-only", "request-required-property-became-read-only",
	// The same request gets another answer.
	"request-parameter-default-value-added", "request-parameter-default-value-changed", "request-parameter-default-value-removed",
	"request-property-default-value-added", "request-property-default-value-changed", "request-property-default-value-removed",
}

// looserAnswer are limits of an answer. They follow those of the request, which
// may become looser, and nobody reads a record by its limits. The types and
// values of an answer are held.
var looserAnswer = regexp.MustCompile(`^response-(property|body)-((exclusive-)?(max|min)(-length|-items|-properties)?-(increased|decreased|unset)|pattern-(removed|changed)|multiple-of-(unset|changed)|unique-items-unset)$`)

// unseenRules are the library's rules for what unseen looks at in their place.
var unseenRules = regexp.MustCompile(`^(api-security|api-global-security|request-body-media-type-removed|response-media-type-removed)`)

// isMorePrecise reports whether a change only says a type or format of an
// answer of which nothing had been said.
func isMorePrecise(c checker.Change) bool {
	return strings.HasPrefix(c.GetId(), "response-") && strings.HasSuffix(c.GetId(), "-type-specialized") &&
		regexp.MustCompile("from `(none|any)` to").MatchString(c.GetUncolorizedText(checker.NewDefaultLocalizer()))
}
