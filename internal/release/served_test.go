package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
)

// unserved says which of the recorded answers a server no longer gives. A
// record may have gained fields.
func unserved(ctx context.Context, s http.Handler, answers []byte) ([]string, error) {
	var whats []string
	lists := map[string]map[string]map[string]any{} // by key and resource, then by id
	for line := range bytes.Lines(answers) {
		var before served
		if err := json.Unmarshal(line, &before); err != nil {
			return nil, err
		}
		record, err := fields(before.Record)
		if err != nil {
			return nil, err
		}
		at := before.Key + " " + before.Resource
		if lists[at] == nil {
			if lists[at], err = byID(ctx, s, tokenPrefix+before.Key, before.Resource); err != nil {
				return nil, err
			}
		}
		now := lists[at][fmt.Sprint(record["id"])]
		if now == nil {
			whats = append(whats, fmt.Sprintf("%s: the record %v is no longer served", before.Resource, record["id"]))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(record)) {
			if value, ok := now[name]; !ok || !reflect.DeepEqual(value, record[name]) {
				whats = append(whats, fmt.Sprintf("%s: %s of the record %v was served as %.60v and is %.60v", before.Resource, name, record["id"], record[name], value))
			}
		}
	}
	return whats, nil
}

func byID(ctx context.Context, s http.Handler, token, plural string) (map[string]map[string]any, error) {
	records, err := list(ctx, s, token, plural)
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]any{}
	for _, text := range records {
		record, err := fields(text)
		if err != nil {
			return nil, err
		}
		all[fmt.Sprint(record["id"])] = record
	}
	return all, nil
}

// fields decodes a record, numbers to the letter.
func fields(text []byte) (record map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return record, d.Decode(&record)
}
