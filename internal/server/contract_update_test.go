package server_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"records/internal/servertest"
)

// tick waits until the clock of the records has moved on.
func tick() { time.Sleep(3 * time.Millisecond) }

func TestUpdate(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		company := s.write.Create("companies", map[string]any{"name": "c"})
		full := fmt.Sprintf(`{"title":"a","stage":"b","value":1.5,"company_id":%q,"owner_id":%q}`, company, person)
		before := map[string]string{"title": `"a"`, "stage": `"b"`, "value": "1.5", "company_id": quote(company), "contact_id": "null", "owner_id": quote(person)}
		for body, changed := range map[string]map[string]string{
			`{"title":"x"}`:                      {"title": `"x"`},
			`{"stage":null}`:                     {"stage": "null"},
			`{"stage":""}`:                       {"stage": `""`},
			`{"value":null,"stage":"c"}`:         {"value": "null", "stage": `"c"`},
			`{"value":-0}`:                       {"value": "0"},
			`{"company_id":null}`:                {"company_id": "null"},
			`{"owner_id":null,"title":" "}`:      nil,
			`{"owner_id":null,"title":"\u200b"}`: {"owner_id": "null", "title": "\"\u200b\""},
			`{"contact_id":null}`:                {}, // was null already
			full:                                 {},
			`{"id":"x","title":"z","created_at":null,"updated_at":0}`:                                     {"title": `"z"`},
			`{"title":"a","stage":null,"value":null,"company_id":null,"contact_id":null,"owner_id":null}`: {"stage": "null", "value": "null", "company_id": "null", "owner_id": "null"},
		} {
			created := s.write.Do("POST", "/deals", full)
			path := "/deals/" + created.ID(t)
			tick()
			r := s.write.Do("PATCH", path, body)
			if changed == nil {
				wantError(t, body, r, 400, "validation_failed")
				wantBody(t, body, s.read.Do("GET", path, nil), 200, string(created.Body))
				continue
			}
			for name, want := range before {
				if now, ok := changed[name]; ok {
					want = now
				}
				if r.Status != 200 || field(t, r, name) != want {
					t.Errorf("%s: %s is %s, want %s", body, name, field(t, r, name), want)
				}
			}
			if field(t, r, "id") != field(t, created, "id") || field(t, r, "created_at") != field(t, created, "created_at") {
				t.Errorf("%s: id or created_at changed: %s", body, r.Body)
			}
			if field(t, r, "updated_at") <= field(t, created, "updated_at") { // the same values too
				t.Errorf("%s: updated_at has not moved: %s", body, r.Body)
			}
			if r.Header.Get("Location") != "" {
				t.Errorf("Location %q", r.Header.Get("Location"))
			}
			wantBody(t, body, s.read.Do("GET", path, nil), 200, string(r.Body))
		}
	})
}

// A body that changes nothing is 200, and moves not even updated_at.
func TestUpdateOfNothing(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for _, plural := range plurals[:5] {
			created := s.write.Do("POST", "/"+plural, smallest(plural))
			path := "/" + plural + "/" + created.ID(t)
			tick()
			for _, body := range []string{`{}`, ` { } `, `{"id":"` + person + `"}`, `{"id":null,"created_at":"2020-01-01T00:00:00.000Z","updated_at":"2020-01-01T00:00:00.000Z"}`, `{"updated_at":[{}]}`} {
				wantBody(t, body, s.write.Do("PATCH", path, body), 200, string(created.Body))
			}
			wantBody(t, "get", s.read.Do("GET", path, nil), 200, string(created.Body))
			sent := s.write.Do("PATCH", path, string(created.Body)) // all values as they are
			if sent.Status != 200 || field(t, sent, "updated_at") <= field(t, created, "updated_at") {
				t.Errorf("sent back as fetched: %d %s", sent.Status, sent.Body)
			}
			before, after := created.JSON(t), sent.JSON(t)
			delete(before, "updated_at")
			delete(after, "updated_at")
			if fmt.Sprint(before) != fmt.Sprint(after) {
				t.Errorf("%v became %v", before, after)
			}
		}
	})
}

// A PATCH of no record of the workspace is 404, after the faults of the body
// and before the look-up of references.
func TestUpdateOfAbsent(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		foreign := s.stranger.Create("deals", map[string]any{"title": "theirs"})
		before := s.stranger.Do("GET", "/deals/"+foreign, nil)
		var answer []byte
		for _, id := range []string{foreign, person, "0190163d-8694-739b-aea5-966c26f8ad90", "x", "%00", "%2f", "..", foreign + "x", "%7B" + foreign + "%7D"} {
			for _, body := range []string{`{}`, `{"title":"x"}`, `{"id":"y"}`, `{"company_id":"` + person + `"}`, `{"company_id":"` + person + `","contact_id":"` + person + `"}`} {
				r := s.write.Do("PATCH", "/deals/"+id, body)
				wantError(t, id+" "+body, r, 404, "not_found")
				if answer == nil {
					answer = r.Body
				}
				if !bytes.Equal(r.Body, answer) {
					t.Errorf("%s: answers differ: %s, %s", id, answer, r.Body)
				}
			}
			wantError(t, id, s.write.Do("PATCH", "/deals/"+id, `{"titel":"x"}`), 400, "validation_failed")
			wantError(t, id, s.write.Do("PATCH", "/deals/"+id, `{"company_id":"x"}`), 400, "validation_failed")
			wantError(t, id, s.write.Do("PATCH", "/deals/"+id, `{`), 400, "invalid_json")
			wantError(t, id, s.write.Do("PATCH", "/deals/"+id+"?a=b", `{}`), 400, "invalid_parameter")
			wantError(t, id, s.write.Do("PATCH", "/deals/"+id, `{}`, "Content-Type", "text/plain"), 415, "unsupported_media_type")
			get := s.write.Do("GET", "/deals/"+id, nil)
			wantBody(t, id, get, 404, string(answer))
		}
		wantBody(t, "theirs", s.stranger.Do("GET", "/deals/"+foreign, nil), 200, string(before.Body))
	})
}

// Two updates at once of different fields are both kept.
func TestUpdatesAtOnce(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", map[string]any{"name": "a"})
		answers := make(chan servertest.Response)
		bodies := []string{`{"status":"s"}`, `{"priority":"p"}`, `{"description":"d"}`, `{"due_date":"2026-01-31"}`}
		for _, body := range bodies {
			go func() { answers <- s.write.Do("PATCH", "/tasks/"+id, body) }()
		}
		for range bodies {
			wantStatus(t, "update", <-answers, 200)
		}
		r := s.read.Do("GET", "/tasks/"+id, nil)
		for name, want := range map[string]string{"status": `"s"`, "priority": `"p"`, "description": `"d"`, "due_date": `"2026-01-31"`} {
			if field(t, r, name) != want {
				t.Errorf("%s: %s", name, r.Body)
			}
		}
	})
}

// Of many updates of one record, one after another or at once, each is later than the
// one before, and the record has the time of the last.
func TestEachUpdateIsLater(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		created := s.write.Do("POST", "/deals", `{"title":"a"}`)
		path, last := "/deals/"+created.ID(t), field(t, created, "updated_at")
		for range 20 {
			r := s.write.Do("PATCH", path, `{"title":"a"}`)
			if now := field(t, r, "updated_at"); now <= last {
				t.Errorf("updated at %s, after %s", now, last)
			}
			last = field(t, r, "updated_at")
		}
		var (
			group sync.WaitGroup
			mu    sync.Mutex
			times []string
		)
		for range 40 {
			group.Go(func() {
				r := s.write.Do("PATCH", path, `{"title":"b"}`)
				mu.Lock()
				defer mu.Unlock()
				times = append(times, field(t, r, "updated_at"))
			})
		}
		group.Wait()
		slices.Sort(times)
		if n := len(slices.Compact(times)); n != 40 || times[0] <= last {
			t.Errorf("40 updates at once have %d times, from %s on, after %s", n, times[0], last)
		}
		if now := field(t, s.read.Do("GET", path, nil), "updated_at"); now != slices.Max(times) {
			t.Errorf("the record is of %s, and the last update of %s", now, slices.Max(times))
		}
	})
}
