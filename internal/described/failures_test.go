package described

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"records/internal/server"
	"records/internal/servertest"
)

// Every failure that an operation describes can be had from it, with the code and
// the message of its example. 408 needs a server in a hurry, and is provoked in
// internal/server.
func TestFailures(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		broken := w.breakable()
		for _, plural := range w.plurals() {
			for verb, o := range w.of(t, plural) {
				for status := range o.Responses {
					if status == "200" || status == "201" || status == "408" || status == "429" {
						continue
					}
					for name, example := range w.answers(o.operation, status) {
						r := w.provoke(t, w.tenant(t), o, status+" "+name, broken)
						if want := o.status(status, name); r.Status != want || !same(r.Body, example) {
							t.Errorf("%s %s, %s %s: %d %s, want %d %s", verb, plural, status, name, r.Status, r.Body, want, example)
						}
					}
				}
			}
		}
	})
}

// The ceilings are described with the numbers that they have by default.
func TestCeilings(t *testing.T) {
	for name, option := range map[string]servertest.Option{
		"key": func(o *server.Options) { o.PerKey = 600 },
		"ip":  func(o *server.Options) { o.PerIP = 1200 },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w world) {
				who := w.tenant(t)
				for r := (servertest.Response{}); r.Status != 429; {
					r = who.read.Do("GET", "/nothing", nil)
				}
				for _, plural := range w.plurals() {
					for _, o := range w.of(t, plural) {
						example, ok := w.answers(o.operation, "429")[name]
						if plural == "openapi.json" && name == "key" {
							if ok {
								t.Error("the description is said to count on a key")
							}
							continue
						}
						if r := who.send(o); r.Status != 429 || !same(r.Body, example) {
							t.Errorf("%s %s: %d %s, want %s", o.method, o.path, r.Status, r.Body, example)
						}
					}
				}
			}, option)
		})
	}
}

// plurals are the first segments of all paths.
func (w world) plurals() []string {
	all := []string{"openapi.json"}
	for _, r := range w.all {
		all = append(all, r.Spec().Plural)
	}
	return all
}

// status is the status of an answer. That of an example under "default" depends
// on the example.
func (o described) status(status, name string) int {
	if status == "default" {
		return map[string]int{"no_such_path": http.StatusNotFound, "method_not_allowed": http.StatusMethodNotAllowed}[name]
	}
	var n int
	_ = json.Unmarshal([]byte(status), &n) // 0 is no status
	return n
}

// send sends a request that would do, but for the record.
func (who tenant) send(o described) servertest.Response {
	return who.read.Do(o.method, strings.ReplaceAll(o.path, "{id}", absent), o.body())
}

// body is a body where there has to be one.
func (o described) body() any {
	if o.RequestBody.Content == nil {
		return nil
	}
	return map[string]any{}
}

// same compares two errors.
func same(got []byte, want string) bool {
	var a, b map[string]string
	return json.Unmarshal(got, &a) == nil && json.Unmarshal([]byte(want), &b) == nil && len(a) == 2 &&
		len(b) == 2 && a["error"] == b["error"] && a["message"] == b["message"]
}
