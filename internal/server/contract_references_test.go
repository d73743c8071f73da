package server_test

import (
	"strings"
	"testing"
)

// references are the fields that name a record, and which.
var references = []struct{ plural, field, target string }{
	{"tasks", "project_id", "projects"},
	{"projects", "company_id", "companies"},
	{"contacts", "company_id", "companies"},
	{"deals", "company_id", "companies"},
	{"deals", "contact_id", "contacts"},
}

// with returns the least body of a resource and one more field.
func with(plural, name, value string) string {
	return strings.TrimSuffix(smallest(plural), "}") + `,"` + name + `":"` + value + `"}`
}

// Whether a record is absent or another workspace's, the answer is the same to
// the byte, on create and on update.
func TestBadReferences(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for _, ref := range references {
			own := s.write.Create(ref.target, smallest(ref.target))
			foreign := s.stranger.Create(ref.target, smallest(ref.target))
			deleted := s.write.Create(ref.target, smallest(ref.target))
			s.write.Do("DELETE", "/"+ref.target+"/"+deleted, nil)
			other := s.write.Create("tasks", smallest("tasks")) // of the workspace, but of another kind
			id := s.write.Create(ref.plural, with(ref.plural, ref.field, own))
			before := s.read.Do("GET", "/"+ref.plural+"/"+id, nil)

			want := `{"error":"invalid_reference","message":"` + ref.field + ` refers to no record of this workspace."}`
			for _, bad := range []string{person, "0190163d-8694-739b-aea5-966c26f8ad90", "00000000-0000-0000-0000-000000000000", foreign, strings.ToUpper(foreign), deleted, other, id, s.workspace.String()} {
				what := ref.plural + "." + ref.field + " " + bad
				wantBody(t, what, s.write.Do("POST", "/"+ref.plural, with(ref.plural, ref.field, bad)), 400, want)
				wantBody(t, what, s.write.Do("PATCH", "/"+ref.plural+"/"+id, `{"`+ref.field+`":"`+bad+`"}`), 400, want)
				wantBody(t, what, s.write.Do("PATCH", "/"+ref.plural+"/"+id, with(ref.plural, ref.field, bad)), 400, want)
			}
			wantBody(t, "unchanged", s.read.Do("GET", "/"+ref.plural+"/"+id, nil), 200, string(before.Body))
			r := s.write.Do("PATCH", "/"+ref.plural+"/"+id, `{"`+ref.field+`":"`+strings.ToUpper(own)+`"}`)
			if r.Status != 200 || field(t, r, ref.field) != quote(own) {
				t.Errorf("%s in upper case: %d %s", own, r.Status, r.Body)
			}
		}
		if l := readList(t, s.read.Do("GET", "/deals", nil)); l.Count != 2 {
			t.Errorf("%d deals, want 2", l.Count)
		}
	})
}

func TestSeveralBadReferences(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		contact := s.write.Create("contacts", smallest("contacts"))
		id := s.write.Create("deals", smallest("deals"))
		foreign := s.stranger.Create("companies", smallest("companies"))
		body := func(company, contact, more string) string {
			return `{"title":"a","contact_id":"` + contact + `","company_id":"` + company + `"` + more + `}`
		}
		const both = `{"error":"invalid_reference","message":"company_id, contact_id each refer to no record of this workspace."}`
		const one = `{"error":"invalid_reference","message":"company_id refers to no record of this workspace."}`
		for sent, want := range map[string]string{
			body(person, person, ""):   both,
			body(foreign, person, ""):  both,
			body(person, contact, ""):  one,
			body(foreign, contact, ""): one,
		} {
			wantBody(t, sent, s.write.Do("POST", "/deals", sent), 400, want)
			wantBody(t, sent, s.write.Do("PATCH", "/deals/"+id, sent), 400, want)
		}
		// References are looked up only when nothing else is wrong.
		for _, more := range []string{`,"value":"1"`, `,"valeu":1`, `,"owner_id":"x"`} {
			for _, r := range []struct{ method, path string }{{"POST", "/deals"}, {"PATCH", "/deals/" + id}} {
				answer := s.write.Do(r.method, r.path, body(person, foreign, more))
				wantError(t, more, answer, 400, "validation_failed")
				if strings.Contains(string(answer.Body), "company_id") || strings.Contains(string(answer.Body), "contact_id") {
					t.Errorf("%s: references were looked up: %s", more, answer.Body)
				}
			}
		}
		wantError(t, "twice", s.write.Do("POST", "/deals", body(person, person, `,"title":"b"`)), 400, "invalid_json")
	})
}

// People of the customer's own product are not looked up.
func TestPeopleAreNotLookedUp(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for plural, name := range map[string]string{"tasks": "assignee_id", "deals": "owner_id", "contacts": "owner_id", "projects": "owner_id", "companies": "owner_id"} {
			for _, id := range []string{person, "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"} {
				r := s.write.Do("POST", "/"+plural, with(plural, name, strings.ToUpper(id)))
				if r.Status != 201 || field(t, r, name) != quote(id) {
					t.Errorf("%s.%s: %d %s", plural, name, r.Status, r.Body)
				}
			}
		}
	})
}
