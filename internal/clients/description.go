package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// resource is what a driver is written of.
type resource struct {
	Type      string // Task
	Path      string // /tasks
	ListID    string // listTasks
	List      string // ListTasks
	ReadOnly  bool
	ExampleID string // the id of its record in the examples
	// Bodies of the description's examples, as JSON, and that as a constant which Go
	// and TypeScript both read.
	Full, Smallest, Change             string
	FullJSON, SmallestJSON, ChangeJSON string
}

// document is the description as far as a driver depends on it.
type document struct {
	Paths map[string]struct {
		Get, Post, Patch *operation
	}
}

type operation struct {
	OperationID string
	RequestBody struct{ Content content }
	Responses   map[string]struct{ Content content }
}

type content map[string]struct {
	Examples map[string]struct{ Value json.RawMessage }
}

// read finds the resources: the paths under which records have an id.
func read(raw []byte) ([]resource, error) {
	var d document
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, err
	}
	var resources []resource
	for _, item := range slices.Sorted(maps.Keys(d.Paths)) {
		path, ok := strings.CutSuffix(item, "/{id}")
		if !ok {
			continue
		}
		r, err := d.resource(path, item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		resources = append(resources, r)
	}
	return resources, nil
}

func (d document) resource(path, item string) (r resource, err error) {
	list, get := d.Paths[path].Get, d.Paths[item].Get
	r = resource{
		Path: path, ListID: list.OperationID, List: strings.ToUpper(list.OperationID[:1]) + list.OperationID[1:],
		Type: strings.TrimPrefix(get.OperationID, "get"),
	}
	var record struct{ ID string }
	if err := json.Unmarshal(example(get.Responses["200"].Content, "record"), &record); err != nil {
		return r, err
	}
	r.ExampleID = record.ID
	create, update := d.Paths[path].Post, d.Paths[item].Patch
	if create == nil {
		r.ReadOnly = true
		return r, nil
	}
	for _, body := range []struct {
		json, constant *string
		raw            json.RawMessage
	}{
		{&r.FullJSON, &r.Full, example(create.RequestBody.Content, "full")},
		{&r.SmallestJSON, &r.Smallest, example(create.RequestBody.Content, "smallest", "full")},
		{&r.ChangeJSON, &r.Change, example(update.RequestBody.Content, "change")},
	} {
		if *body.json, err = compact(body.raw); err != nil {
			return r, err
		}
		constant, err := json.Marshal(*body.json)
		if err != nil {
			return r, err
		}
		*body.constant = string(constant)
	}
	return r, nil
}

// example is the first of the named examples that there is.
func example(c content, names ...string) json.RawMessage {
	for _, name := range names {
		if e, ok := c["application/json"].Examples[name]; ok {
			return e.Value
		}
	}
	return nil
}
