package restgen

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/load"
)

// Compile builds the generated code in the folder. A name in a schema can still
// collide with one that Ent makes of it; then this says in which schema.
func Compile(folder string) error {
	cmd := exec.Command("go", "build", "./...")
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	var faults []error
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			faults = append(faults, errors.New(line))
		}
	}
	names := schemasOf(string(out))
	if len(names) == 0 {
		names = []string{"a schema"}
	}
	return fmt.Errorf("the generated code does not compile; most likely a name in %s collides with one that Ent makes of it, and another name will do:\n%w",
		strings.Join(names, ", "), errors.Join(faults...))
}

var generatedFile = regexp.MustCompile(`(?m)^(?:rest/)?([a-z0-9]+)(?:_\w+)?(?:/\w+)?\.go:\d`)

// schemasOf are the files in ent/schema from which the files of a compiler's
// messages come.
func schemasOf(messages string) (files []string) {
	spec, err := (&load.Config{Path: "./schema"}).Load()
	if err != nil {
		return nil
	}
	for _, m := range generatedFile.FindAllStringSubmatch(messages, -1) {
		for _, s := range spec.Schemas {
			if strings.EqualFold(s.Name, m[1]) && !slices.Contains(files, place(s.Pos)) {
				files = append(files, place(s.Pos))
			}
		}
	}
	return files
}

// unread is Ent's error where a number's default did not survive JSON, with all that
// the schema says.
var unread = regexp.MustCompile(`^entc/load: unmarshal schema \{"name":"(\w+)".*: unexpected default value type for field: "(\w+)"$`)

// Explain adds to an error of Ent's own the place of the schema that it speaks
// of, and the remedy. Other errors stay as they are.
func Explain(err error) error {
	if m := unread.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("ent/schema: the field %s of %s has a Default that is no finite number: give one that is", m[2], m[1])
	}
	message, ours := strings.CutPrefix(err.Error(), "entc/gen: ")
	spec, loadErr := (&load.Config{Path: "./schema"}).Load()
	if loadErr != nil {
		return err
	}
	if words := reworded(message, spec.Schemas); words != "" {
		return errors.New(words)
	}
	if !ours {
		return err
	}
	s := blamed(message, spec.Schemas)
	if s == nil {
		return err
	}
	return fmt.Errorf("%s: %s: change it there", place(s.Pos), strings.TrimPrefix(message, "create type "))
}

var (
	nameless   = regexp.MustCompile(`(?s)^(?:create type )?(\w+): enum ("(?:[^"\\]|\\.)*") does not have a valid Go identifier`)
	needed     = regexp.MustCompile(`^set "(\w+)" foreign-keys: edge "(\w+)" was set as Optional, but edge-field "(\w+)" is not`)
	unparsable = regexp.MustCompile(`^format file .*/ent/([a-z0-9]+)(?:_\w+)?(?:/\w+)?\.go: .*\.go:\d+:\d+: (.*)`)
)

// reworded is a message of Ent's that would not lead to the fault, in words that do:
// "" where it has none better.
func reworded(message string, schemas []*load.Schema) string {
	for _, s := range schemas {
		var a entsql.Annotation
		decodeAnnotation(s.Annotations[a.Name()], &a)
		if enum := nameless.FindStringSubmatch(message); len(enum) == 3 && enum[1] == s.Name {
			return fmt.Sprintf("%s: %s has an enum with the value %s, of which Ent makes no name in Go: give it one, as in NamedValues(\"Name\", %s)", place(s.Pos), s.Name, enum[2], enum[2])
		}
		if edge := needed.FindStringSubmatch(message); len(edge) == 4 && edge[1] == s.Name {
			return fmt.Sprintf("%s: edge %s.%s has the field %s, which is required: deleting what it refers to must be able to set it to null; make it Optional().Nillable()", place(s.Pos), s.Name, edge[2], edge[3])
		}
		if strings.Contains(message, "missing schema annotation") && a.Schema != "" {
			return fmt.Sprintf("%s: %s is given entsql.Schema, and all tables are in one: remove it", place(s.Pos), s.Name)
		}
		if code := unparsable.FindStringSubmatch(message); len(code) == 3 && strings.EqualFold(code[1], s.Name) {
			return fmt.Sprintf("%s: what Ent writes of %s does not parse (%s): look for signs that Go does not take in a Comment or a StructTag", place(s.Pos), s.Name, code[2])
		}
	}
	return ""
}

// blamed is the schema that stands first in a message of Ent's: that which has
// the faulty field or edge, before one that the edge leads to. It is nil where
// there is none.
func blamed(message string, schemas []*load.Schema) (first *load.Schema) {
	least := len(message)
	for _, s := range schemas {
		if found := regexp.MustCompile(`\b` + s.Name + `\b`).FindStringIndex(message); len(found) > 0 && found[0] < least {
			first, least = s, found[0]
		}
	}
	return first
}
