// Command go drives a running server through every operation of the API, by a
// client that oapi-codegen has generated from the description. What it calls is in
// drive.go, which is written from the description too.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	"records/tools/openapi/go/client"
)

// absent is the id of no record.
const absent = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"

// resource is one resource of the API, as drive.go fills it in.
type resource struct {
	example string              // the id that its record has in the examples
	make    func(*world) string // makes or finds a record, and returns its id
	drive   func(*world)
}

// world is a server, and three callers: a key that may write, one that may read,
// and no key.
type world struct {
	context.Context
	write, read, nobody *client.ClientWithResponses

	made map[string]string // records that others refer to: the real id by that of the examples
}

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	w := &world{ctx, caller(os.Getenv("WRITE_KEY")), caller(os.Getenv("READ_KEY")), caller(""), map[string]string{}}
	driveDescription(w)
	for _, r := range resources {
		r.drive(w)
	}
}

func caller(key string) *client.ClientWithResponses {
	c, err := client.NewClientWithResponses(os.Getenv("API"), client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		return nil
	}))
	if err != nil {
		log.Fatal(err)
	}
	return c
}

// take decodes the example of a body into the client's type, which must know every
// field of it. References name records that are there.
func take[T any](w *world, example string) (body T) {
	for _, r := range resources {
		if !strings.Contains(example, r.example) {
			continue
		}
		if w.made[r.example] == "" {
			w.made[r.example] = r.make(w)
		}
		example = strings.ReplaceAll(example, r.example, w.made[r.example])
	}
	d := json.NewDecoder(strings.NewReader(example))
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil {
		log.Fatalf("%T does not take its example: %v: %s", body, err, example)
	}
	return body
}

// answer is the typed answer of an operation, which must have the status and hold
// all that was sent. It prints the operation's name.
func answer[T any](operation string, err error, response *http.Response, status int, body []byte, typed *T) T {
	if err != nil {
		log.Fatalf("%s: %v", operation, err)
	}
	if response.StatusCode != status || typed == nil {
		log.Fatalf("%s: %s, %T %v; want %d: %.2000s", operation, response.Status, typed, typed, status, body)
	}
	var sent, got any
	again, err := json.Marshal(typed)
	if err != nil {
		log.Fatalf("%s: %v", operation, err)
	}
	if decode(body, &sent) != nil || decode(again, &got) != nil || !reflect.DeepEqual(sent, got) {
		log.Fatalf("%s: the type lost something:\n%.2000s\n%.2000s", operation, body, again)
	}
	fmt.Println(operation)
	return *typed
}

// decode decodes JSON to the digit, and times to their moment.
func decode(b []byte, to *any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	err := d.Decode(to)
	*to = moments(*to)
	return err
}

func moments(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = moments(member)
		}
	case []any:
		for i, item := range v {
			v[i] = moments(item)
		}
	case string:
		if t, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return t.UTC().String()
		}
	}
	return v
}

// need ends the program unless what was found is what was wanted.
func need[T comparable](what string, got, want T) {
	if got != want {
		log.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func to[T any](v T) *T { return &v }
