package restgen

import "regexp"

// What a pattern may be made of to be told. Each part means the same to Go as to
// ECMA-262 with its flag u, which is JSON Schema's: so there is no `.`, which stops
// at other line ends there, and no class such as \d, of which other languages make
// more. Which brackets belong together, Go has seen to.
const (
	signEscape  = `\\[\^$.*+?()\[\]{}|/\\tnrfv]`
	classMember = `(?:[^\\\[\]^-]|` + signEscape + `|\\-)`
	class       = `\[\^?-?(?:` + classMember + `(?:-` + classMember + `)?)+-?\]`
	patternAtom = `(?:[^\^$.|?*+()\[\]{}\\]|` + signEscape + `|` + class + `|\))`
	repetition  = `(?:(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??)?`
)

// portable is a pattern that is told.
var portable = regexp.MustCompile(`^(?:\((?:\?:)?|[|^$]|` + patternAtom + repetition + `)*$`)
