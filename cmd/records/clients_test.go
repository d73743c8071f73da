//go:build clients

package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	entrest "records/ent/rest"
)

// The clients that are generated from the description drive the program through
// every operation. `make openapi` generates them first.
func TestGeneratedClients(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		write, read := p.key("clients", "write"), p.key("clients", "read")
		p.set("RATELIMIT_PER_KEY", "100000")
		p.set("RATELIMIT_PER_IP", "100000")
		for plural, record := range readOnly(t) {
			p.file(plural+".ndjson", record)
			p.ok("import", plural, plural+".ndjson", "--workspace", "clients")
		}
		s := p.serve()
		for name, command := range map[string][]string{
			"go":         {"../../tools/openapi/go/driver"},
			"typescript": {"node", "../../tools/openapi/ts/out/main.js"},
		} {
			cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
			cmd.Env = append(os.Environ(), "API="+s.address+"/api/v1", "WRITE_KEY="+write.Token, "READ_KEY="+read.Token)
			var log bytes.Buffer
			cmd.Stderr = &log
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("%s: %v\n%s%s", name, err, out, log.String())
				continue
			}
			called := strings.Fields(string(out))
			slices.Sort(called)
			if called, want := slices.Compact(called), operations(t); !slices.Equal(called, want) {
				t.Errorf("the client in %s called %v, want %v", name, called, want)
			}
		}
		s.stop()
	})
}

// described are the paths of the description, by method.
func described(t *testing.T) (paths map[string]map[string]json.RawMessage) {
	t.Helper()
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(entrest.OpenAPI, &document); err != nil {
		t.Fatal(err)
	}
	return document.Paths
}

// operations are the names of all operations, in order.
func operations(t *testing.T) (names []string) {
	t.Helper()
	for _, item := range described(t) {
		for _, raw := range item {
			var operation struct{ OperationID string }
			if json.Unmarshal(raw, &operation) == nil && operation.OperationID != "" {
				names = append(names, operation.OperationID)
			}
		}
	}
	slices.Sort(names)
	return names
}

// readOnly returns a record of each resource that cannot be created: its example,
// without the ids in it, for there is nothing that they could refer to.
func readOnly(t *testing.T) map[string]string {
	t.Helper()
	records := map[string]string{}
	for path, item := range described(t) {
		plural, isItem := strings.CutSuffix(strings.TrimPrefix(path, "/"), "/{id}")
		if !isItem || item["patch"] != nil {
			continue
		}
		var get struct {
			Responses map[string]struct {
				Content map[string]struct {
					Examples map[string]struct{ Value map[string]any }
				}
			}
		}
		if err := json.Unmarshal(item["get"], &get); err != nil {
			t.Fatal(err)
		}
		record := get.Responses["200"].Content["application/json"].Examples["record"].Value
		for name := range record {
			if name == "id" || strings.HasSuffix(name, "_id") {
				delete(record, name)
			}
		}
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		records[plural] = string(line) + "\n"
	}
	return records
}
