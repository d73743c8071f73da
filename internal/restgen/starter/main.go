// Command starter writes a commented schema to begin a resource with:
// `make resource name=Ticket`.
package main

import (
	_ "embed" // for start
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed schema.tmpl
var start string

var schemaName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

func main() {
	name := flag.String("name", "", "the resource in the singular, such as Ticket or LineItem")
	folder := flag.String("folder", filepath.Join("ent", "schema"), "where the schemas are")
	flag.Parse()
	path, err := write(*folder, *name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "resource:", err)
		os.Exit(1)
	}
	fmt.Printf("wrote %s\nEdit its fields, then run `make generate migration name=add_%s`.\n", path, strings.ToLower(*name))
}

// write makes the schema's file, and never replaces one.
func write(folder, name string) (string, error) {
	if !schemaName.MatchString(name) {
		return "", fmt.Errorf("%q is no name of a schema: use a singular such as make resource name=LineItem", name)
	}
	path := filepath.Join(folder, strings.ToLower(name)+".go")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s is there already", path)
	}
	if err != nil {
		return "", err
	}
	err = template.Must(template.New("").Parse(start)).Execute(file, name)
	return path, errors.Join(err, file.Close())
}
