// Command clients writes the drivers of the clients that are generated from the
// API's description: programs that call every operation of every resource.
//
//	go run ./internal/clients ent/rest/openapi.json TEMPLATE.tmpl…
//
// Each template is written beside itself, without its ending.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("name the description and the templates")
	}
	raw, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	resources, err := read(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	for _, name := range args[1:] {
		t, err := template.ParseFiles(name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := t.ExecuteTemplate(&b, filepath.Base(name), resources); err != nil {
			return err
		}
		if err := os.WriteFile(strings.TrimSuffix(name, ".tmpl"), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compact is a JSON value on one line.
func compact(raw json.RawMessage) (string, error) {
	var b bytes.Buffer
	err := json.Compact(&b, raw)
	return b.String(), err
}
