package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"records/ent"
	entrest "records/ent/rest"
	"records/internal/database"
	"records/internal/rest"
	"records/internal/server"
)

// served is a record as a release answered it.
type served struct {
	Key      string          `json:"key"` // its token without the prefix, so that no scanner takes it for a secret
	Resource string          `json:"resource"`
	Record   json.RawMessage `json:"record"`
}

const tokenPrefix = "wrk_"

// ask lists every resource with each token, and writes one line a record.
func ask(ctx context.Context, db *database.DB, tokens []string) ([]byte, error) {
	client := ent.NewClient(ent.Driver(db.Driver()))
	s, err := server.New(server.Options{Client: client, DB: db, Log: slog.New(slog.DiscardHandler), CeilingStore: "memory", DeveloperURL: "http://127.0.0.1", RequestTimeout: time.Minute})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var b bytes.Buffer
	seen := map[string]bool{}
	for _, token := range tokens {
		for _, r := range entrest.Resources(client) {
			records, err := list(ctx, s, token, r.Spec().Plural)
			if err != nil {
				return nil, err
			}
			for _, record := range records {
				line, err := json.Marshal(served{strings.TrimPrefix(token, tokenPrefix), r.Spec().Plural, record})
				if err != nil {
					return nil, err
				}
				b.Write(append(line, '\n'))
				if err := note(seen, r.Spec().Plural, record); err != nil {
					return nil, err
				}
			}
		}
	}
	return b.Bytes(), rich(seen, entrest.Resources(client))
}

// note marks each field of a record as seen with a value, or with null.
func note(seen map[string]bool, plural string, record []byte) error {
	var fields map[string]any
	if err := json.Unmarshal(record, &fields); err != nil {
		return err
	}
	for name, value := range fields {
		seen[plural+"."+name] = true
		seen[fmt.Sprintf("%s.%s null: %t", plural, name, value == nil)] = true
	}
	return nil
}

// rich refuses answers from which nothing can be learnt about a field: each but a
// reference was seen with a value, and null where it may be.
func rich(seen map[string]bool, all rest.Resources) error {
	for _, r := range all {
		for _, f := range r.Fields() {
			name := r.Spec().Plural + "." + f.Name
			switch {
			case !seen[name]: // it is taken, but never shown
			case f.Reference != "": // of two resources that refer to each other, one comes first and has nothing to refer to
			case !seen[name+" null: false"]:
				return fmt.Errorf("no record has a value of %s: let edgesOf or its examples give one", name)
			case f.Nullable && !seen[name+" null: true"]:
				return fmt.Errorf("no record has %s null", name)
			}
		}
	}
	return nil
}

// list returns every record of a resource that a token reaches.
func list(ctx context.Context, s http.Handler, token, plural string) ([]json.RawMessage, error) {
	var all []json.RawMessage
	for {
		request := httptest.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/%s?limit=200&offset=%d", server.Base, plural, len(all)), http.NoBody)
		request.Header.Set("Authorization", "Bearer "+token)
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, request)
		if answer.Code != http.StatusOK {
			return nil, fmt.Errorf("GET /%s: %d %s", plural, answer.Code, answer.Body)
		}
		var page struct {
			Data  []json.RawMessage
			Count int
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil {
			return nil, err
		}
		if all = append(all, page.Data...); len(all) >= page.Count || len(page.Data) == 0 {
			return all, nil
		}
	}
}
