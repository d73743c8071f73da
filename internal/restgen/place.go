package restgen

import (
	"fmt"
	"path"
	"strings"

	"entgo.io/ent/entc/gen"
)

// at begins a fault with the place of its schema: "ent/schema/task.go:14: ".
func at(t *gen.Type, fault string) error { return fmt.Errorf("%s: %s", place(t.Pos()), fault) }

// file is the one that declares a schema, without the line.
func file(t *gen.Type) string {
	name, _, _ := strings.Cut(place(t.Pos()), ":")
	return name
}

// place is a position as one who stands in the project's root would name it.
func place(pos string) string {
	file, line, _ := strings.Cut(path.Base(pos), ":")
	return "ent/schema/" + file + ":" + line
}
