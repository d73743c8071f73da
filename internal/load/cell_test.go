package load

import (
	"bufio"
	"strings"
	"testing"

	"records/internal/rest"
)

// What stands in a cell of a list or an object is JSON, taken as it is if it is
// one value, so that no cell can add a field of its own to the row.
func TestNestedCells(t *testing.T) {
	t.Parallel()
	var tags rest.Value[[]string]
	var meta rest.Value[map[string]any]
	fields := []rest.Field{rest.Texts("tags", &tags), rest.Object("meta", &meta)}
	for cells, want := range map[string]string{
		`,`:                               `{"tags":null,"meta":null}`,
		`[],{}`:                           `{"tags":[],"meta":{}}`,
		`"[""a"",""b""]","{""a"": 1}"`:    `{"tags":["a","b"],"meta":{"a": 1}}`,
		`a,true`:                          `{"tags":"a","meta":true}`,
		`[,"{""a"":1,""a"":2}"`:           `{"tags":"[","meta":{"a":1,"a":2}}`,
		`"[],""x"":1","{},""tags"":[]"`:   `{"tags":"[],\"x\":1","meta":"{},\"tags\":[]"}`,
		`"[]} {""tags"":[]","{} // more"`: `{"tags":"[]} {\"tags\":[]","meta":"{} // more"}`,
	} {
		r, err := newCSVReader(bufio.NewReader(strings.NewReader("tags,meta\n"+cells+"\n")), fields)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.next(); err != nil || string(got.body) != want {
			t.Errorf("%s became %s, %v; want %s", cells, got.body, err, want)
		}
	}
}

// An example of any kind is what it stands for in a body.
func TestExampleValues(t *testing.T) {
	t.Parallel()
	var meta rest.Value[map[string]any]
	if v, ok := value(rest.Object("meta", &meta), `{"n":1.50}`).(map[string]any); !ok || v["n"] == nil {
		t.Errorf("got %v", v)
	}
	if v := value(rest.Object("meta", &meta), `a,b`); v != "a,b" {
		t.Errorf("got %v", v)
	}
}
