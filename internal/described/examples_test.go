package described

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"records/internal/servertest"
)

// Every example of a request gets the answer that the description shows for it:
// all but ids and times, which are as they should be.
func TestExamples(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for _, r := range w.all {
			plural := r.Spec().Plural
			t.Run(plural, func(t *testing.T) { w.examples(t, plural) })
		}
	})
}

func (w world) examples(t *testing.T, plural string) {
	operations := w.of(t, plural)
	if create, ok := operations["create"]; ok {
		w.writes(t, create, operations["update"])
		w.deletes(t, operations["delete"])
	} else if len(operations) != 2 {
		t.Errorf("a resource that cannot be created has %v", sorted(operations))
	}
	who := w.tenant(t)
	example := w.answers(operations["get"].operation, "200")["record"]
	record := w.record(t, who, plural)
	who.compare(t, "GET", "/"+plural+"/"+record.real, nil, 200, example, record)
	pages := w.answers(operations["list"].operation, "200")
	for name, query := range map[string]string{"page": "", "past_the_end": "?offset=100"} {
		who.compare(t, "GET", "/"+plural+query, nil, 200, pages[name], record)
	}
	if len(pages) != 2 {
		t.Errorf("examples of lists: %v", sorted(pages))
	}
}

// writes sends every example of a create, and to the fullest of them every
// example of an update.
func (w world) writes(t *testing.T, create, update described) {
	sent, answers := texts(create.RequestBody.Content["application/json"]), w.answers(create.operation, "201")
	if sent["full"] == "" || len(sent) != len(answers) {
		t.Errorf("creates %v, answers %v", sorted(sent), sorted(answers))
	}
	for name, body := range sent {
		who := w.tenant(t)
		ids := w.referred(t, who, create.plural, body)
		who.compare(t, "POST", create.path, ids.toReal(body), 201, answers[name], ids)
	}
	for mediaType, c := range update.RequestBody.Content {
		answers := w.answers(update.operation, "200")
		if len(c.Examples) != 2 || len(answers) != 2 {
			t.Errorf("updates %v, answers %v", sorted(c.Examples), sorted(answers))
		}
		for name, body := range texts(c) {
			who := w.tenant(t)
			record := w.record(t, who, create.plural)
			who.compare(t, "PATCH", "/"+create.plural+"/"+record.real, record.toReal(body), 200, answers[name], record, "Content-Type", mediaType)
		}
	}
}

func (w world) deletes(t *testing.T, remove described) {
	who, answers := w.tenant(t), w.answers(remove.operation, "200")
	record := ids{example: exampleID(t, answers["removed"]), real: w.create(t, who, remove.plural, text(t, w.plain(t, remove.plural)))}
	who.compare(t, "DELETE", "/"+remove.plural+"/"+record.real, nil, 200, answers["removed"], record)
	who.compare(t, "DELETE", "/"+remove.plural+"/"+record.real, nil, 200, answers["absent"], record)
	if len(answers) != 2 {
		t.Errorf("examples of deletes: %v", sorted(answers))
	}
}

// ids are the id of the record in the examples and the real one, and those of
// the records that it refers to.
type ids struct {
	example, real string
	others        []string // in pairs
}

func (i ids) toReal(example string) string {
	return strings.NewReplacer(i.others...).Replace(example)
}

// referred makes the records that a body refers to.
func (w world) referred(t *testing.T, who tenant, plural, body string) (i ids) {
	t.Helper()
	for _, other := range w.all {
		name := other.Spec().Plural
		example := exampleID(t, w.answers(w.of(t, name)["get"].operation, "200")["record"])
		if name != plural && strings.Contains(body, example) {
			i.others = append(i.others, example, w.create(t, who, name, text(t, w.plain(t, name))))
		}
	}
	return i
}

// record makes the record of the examples: by the body of a create with every
// field or, of a resource that is read only, by the record itself.
func (w world) record(t *testing.T, who tenant, plural string) ids {
	t.Helper()
	operations := w.of(t, plural)
	example := w.answers(operations["get"].operation, "200")["record"]
	body := texts(operations["create"].RequestBody.Content["application/json"])["full"]
	if body == "" {
		body = example
	}
	i := w.referred(t, who, plural, body)
	i.example, i.real = exampleID(t, example), w.create(t, who, plural, i.toReal(body))
	return i
}

func exampleID(t *testing.T, example string) string {
	t.Helper()
	return servertest.Response{Body: []byte(example)}.ID(t)
}

// compare sends a request and holds the answer against the example, whose ids
// and times are not those of the answer.
func (who tenant) compare(t *testing.T, method, path string, body any, status int, example string, i ids, headers ...string) {
	t.Helper()
	r := who.write.Do(method, path, body, headers...)
	if i.real == "" { // a record that this request has made
		i.example, i.real = exampleID(t, example), r.ID(t)
	}
	if method == http.MethodPost && r.Header.Get("Location") != "/api/v1"+path+"/"+i.real {
		t.Errorf("Location %q", r.Header.Get("Location"))
	}
	want := strings.ReplaceAll(i.toReal(example), i.example, i.real)
	if r.Status != status || !reflect.DeepEqual(timeless(t, string(r.Body)), timeless(t, want)) {
		t.Errorf("%s %s %v:\n%d %s\nwant\n%d %s", method, path, body, r.Status, r.Body, status, want)
	}
}

// timeless decodes an answer. It puts in the place of its times whether the
// record was updated after its creation.
func timeless(t *testing.T, answer string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(answer), &value); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	members, _ := value.(map[string]any)
	records, _ := members["data"].([]any)
	for _, record := range append(records, value) {
		r, _ := record.(map[string]any)
		if r["created_at"] == nil {
			continue
		}
		created, updated := moment(t, r["created_at"]), moment(t, r["updated_at"])
		r["created_at"], r["updated_at"] = "TIME", updated.After(created)
	}
	return value
}

func moment(t *testing.T, value any) time.Time {
	t.Helper()
	s, _ := value.(string)
	m, err := time.Parse("2006-01-02T15:04:05.000Z", s)
	if err != nil {
		t.Error(err)
	}
	return m
}
