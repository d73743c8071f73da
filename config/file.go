package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readFile reads the YAML file at path, which was found in source, and returns the
// settings in it: dotted name to text, as it is written there. No path, an empty file
// and a key without a value set nothing.
//
// viper could read the file itself, but it takes "ratelimit.per_key" for
// ratelimit: {per_key: …}, any case of a key, and only the first of several
// documents, so that a typing error would pass.
func readFile(path, source string) (map[string]any, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("config (from %s): %w", source, err)
	}
	document, err := parseYAML(content)
	if err != nil {
		return nil, fmt.Errorf("config: %s: %w", path, err)
	}
	file := yamlFile{path: path, values: map[string]any{}}
	if err := file.section("", document); err != nil {
		return nil, err
	}
	return file.values, nil
}

// parseYAML decodes one document whose top is a mapping with text as keys, at
// every depth each key once. Its values are texts. No document at all is an empty
// mapping.
func parseYAML(content []byte) (map[string]any, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, oneLine(err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("want one YAML document, not several")
	}
	asWritten(&document)
	var top any
	if err := document.Decode(&top); err != nil {
		return nil, oneLine(err)
	}
	if top == nil {
		return nil, nil
	}
	mapping, ok := top.(map[string]any)
	if !ok {
		return nil, errors.New("want settings as name: value")
	}
	return mapping, nil
}

// asWritten makes a text of every value below n but null, so that it means what it
// would in a flag: YAML itself reads 010 as 8, 1_000 as 1000 and True as true.
func asWritten(n *yaml.Node) {
	for i, below := range n.Content {
		isKey := n.Kind == yaml.MappingNode && i%2 == 0
		if below.Kind == yaml.ScalarNode && !isKey && below.ShortTag() != "!!null" {
			below.Tag = "!!str"
		}
		asWritten(below)
	}
}

// oneLine joins the lines of an error of the YAML library. It names lines and
// keys, and shows no values.
func oneLine(err error) error {
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}

// yamlFile gathers the settings of a file.
type yamlFile struct {
	path   string
	values map[string]any // dotted name to text
}

// section reads the keys below a prefix, which is empty or ends with a dot.
func (f yamlFile) section(prefix string, mapping map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(mapping)) {
		if err := f.entry(prefix, key, mapping[key]); err != nil {
			return err
		}
	}
	return nil
}

// entry reads one key: a setting, or a section of them.
func (f yamlFile) entry(prefix, key string, value any) error {
	name := prefix + key
	s, isSetting := known(name)
	dotted := strings.Contains(key, ".") // the file is nested: "a.b" is not a: {b: …}

	switch {
	case dotted && isSetting:
		return fmt.Errorf("%s (from %s): want it nested, each dot a level, as in log: {level: info}", name, f.path)
	case dotted || !isSetting && !isSection(name):
		return fmt.Errorf("unknown setting %q in %s", name, f.path)
	case value == nil:
		return nil
	case isSetting:
		return f.setting(s, value)
	}
	mapping, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("%s (from %s): want settings below it, not a value", name, f.path)
	}
	return f.section(name+".", mapping)
}

// setting checks and keeps one value.
func (f yamlFile) setting(s setting, value any) error {
	text, ok := value.(string)
	if items, isList := value.([]any); isList && s.shape == list {
		text, ok = listText(items)
	}
	if !ok {
		return fmt.Errorf("%s (from %s): want %s", s.name, f.path, s.shape)
	}
	if err := s.check(text, f.path); err != nil {
		return err
	}
	f.values[s.name] = text
	return nil
}

// listText is a YAML list of texts as it would be written in a flag.
func listText(items []any) (string, bool) {
	texts := make([]string, len(items))
	for i, item := range items {
		text, ok := item.(string)
		if !ok {
			return "", false
		}
		texts[i] = text
	}
	return strings.Join(texts, ","), true
}

// isSection tells whether settings lie below a name.
func isSection(name string) bool {
	return slices.ContainsFunc(settings, func(s setting) bool { return strings.HasPrefix(s.name, name+".") })
}
