package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/ent"
	"records/internal/servertest"
	"records/internal/viewer"
)

func TestDelete(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for _, plural := range plurals[:5] {
			id := s.write.Create(plural, smallest(plural))
			kept := s.write.Create(plural, smallest(plural))
			theirs := s.stranger.Create(plural, smallest(plural))
			wantBody(t, "of another workspace", s.write.Do("DELETE", "/"+plural+"/"+theirs, nil), 200, `{"id":"`+theirs+`","deleted":false}`)
			wantStatus(t, "of another workspace", s.stranger.Do("GET", "/"+plural+"/"+theirs, nil), 200)
			wantBody(t, "first", s.write.Do("DELETE", "/"+plural+"/"+strings.ToUpper(id), nil), 200, `{"id":"`+id+`","deleted":true}`)
			wantBody(t, "again", s.write.Do("DELETE", "/"+plural+"/"+id, nil), 200, `{"id":"`+id+`","deleted":false}`)
			wantError(t, "get", s.write.Do("GET", "/"+plural+"/"+id, nil), 404, "not_found")
			if l := readList(t, s.read.Do("GET", "/"+plural, nil)); l.Count != 1 || l.Data[0].ID != kept {
				t.Errorf("%s: %v remain", plural, l)
			}
		}
	})
}

// The id in the answer is the path's: decoded, and in lower case if it is a UUID.
func TestDeleteOfNoRecord(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for sent, answered := range map[string]string{
			person: person, strings.ToUpper(person): person, strings.ReplaceAll(person, "f", "%66"): person, person + "/": person,
			"x": "x", "ABC": "ABC", "a%20b": "a b", "a+b": "a+b", "a%2Fb": "a/b", "%2f": "/", "%2e%2e": "..", "..": "..", ".": ".", "%25": "%", "%2525": "%25", "%22": `\"`, "%00": `\u0000`, "%C3%A9": "é", "%3Cb%3E%26": "<b>&",
			"%F0%9F%98%80": "😀", "%0A": `\n`, "{" + person + "}": "{" + person + "}", "urn:uuid:" + strings.ToUpper(person): "urn:uuid:" + strings.ToUpper(person), strings.ReplaceAll(person, "-", ""): strings.ReplaceAll(person, "-", ""),
			"%3Flimit=1": "?limit=1", "a;b=c": "a;b=c", ":id": ":id", "*": "*", "null": "null", strings.Repeat("a", 4000): strings.Repeat("a", 4000),
		} {
			wantBody(t, sent, s.write.Do("DELETE", "/tasks/"+sent, nil), 200, `{"id":"`+answered+`","deleted":false}`)
		}
	})
}

// A body or content type on DELETE is ignored.
func TestDeleteIgnoresBody(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for _, body := range []string{"{", "[]", `{"deleted":false}`, `{"a":1,"a":1}`, "\xff", strings.Repeat("x", 100_000), strings.Repeat("x", 2<<20)} {
			for _, headers := range [][]string{{"Content-Type", "text/plain"}, {"Content-Type", ""}, {"Content-Encoding", "gzip"}} {
				id := s.write.Create("tasks", smallest("tasks"))
				wantBody(t, body[:min(len(body), 20)], s.write.Do("DELETE", "/tasks/"+id, body, headers...), 200, `{"id":"`+id+`","deleted":true}`)
			}
		}
	})
}

// Of many deletes at once, one removed the record.
func TestDeletesAtOnce(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		id := s.write.Create("companies", smallest("companies"))
		answers := make(chan servertest.Response)
		for range 8 {
			go func() { answers <- s.write.Do("DELETE", "/companies/"+id, nil) }()
		}
		removed := 0
		for range 8 {
			r := <-answers
			wantStatus(t, "delete", r, http.StatusOK)
			if string(r.Body) == `{"id":"`+id+`","deleted":true}` {
				removed++
			} else {
				wantBody(t, "delete", r, 200, `{"id":"`+id+`","deleted":false}`)
			}
		}
		if removed != 1 {
			t.Errorf("%d answers say deleted: true", removed)
		}
	})
}

// invoice makes one as the import does: the API has no way.
func (s service) invoice(t *testing.T, company, contact, deal string) string {
	t.Helper()
	ctx := viewer.NewContext(t.Context(), viewer.Viewer{Workspace: s.workspace, Scope: viewer.Write})
	create := s.Ent.Invoice.Create().SetNumber("1")
	for id, set := range map[string]func(uuid.UUID) *ent.InvoiceCreate{company: create.SetCompanyID, contact: create.SetContactID, deal: create.SetDealID} {
		if id != "" {
			set(uuid.MustParse(id))
		}
	}
	invoice, err := create.Save(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return invoice.ID.String()
}

// Deleting a record clears what refers to it, and moves no updated_at.
func TestDeleteClearsReferences(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		make := func(plural, name, target string) string { return s.write.Create(plural, with(plural, name, target)) }
		company := s.write.Create("companies", smallest("companies"))
		contact := make("contacts", "company_id", company)
		project := make("projects", "company_id", company)
		task := make("tasks", "project_id", project)
		deal := s.write.Create("deals", `{"title":"a","company_id":"`+company+`","contact_id":"`+contact+`","owner_id":"`+company+`"}`)
		invoice := s.invoice(t, company, contact, deal)
		untouched := make("tasks", "assignee_id", project)

		for _, step := range []struct {
			deleted string
			cleared map[string]string // path: field
		}{
			{"/deals/" + make("deals", "company_id", company), nil}, // a referrer takes nothing with it
			{"/companies/" + company, map[string]string{"/contacts/" + contact: "company_id", "/projects/" + project: "company_id", "/deals/" + deal: "company_id", "/invoices/" + invoice: "company_id"}},
			{"/contacts/" + contact, map[string]string{"/deals/" + deal: "contact_id", "/invoices/" + invoice: "contact_id"}},
			{"/projects/" + project, map[string]string{"/tasks/" + task: "project_id"}},
			{"/deals/" + deal, map[string]string{"/invoices/" + invoice: "deal_id"}},
		} {
			all := []string{"/companies/" + company, "/contacts/" + contact, "/projects/" + project, "/tasks/" + task, "/deals/" + deal, "/invoices/" + invoice, "/tasks/" + untouched}
			before := map[string]servertest.Response{}
			for _, path := range all {
				before[path] = s.read.Do("GET", path, nil)
			}
			tick()
			wantStatus(t, step.deleted, s.write.Do("DELETE", step.deleted, nil), 200)
			for _, path := range all {
				was, r := before[path], s.read.Do("GET", path, nil)
				switch name, refers := step.cleared[path]; {
				case path == step.deleted:
					wantError(t, path, r, 404, "not_found")
				case refers:
					want := strings.Replace(string(was.Body), `"`+name+`":`+field(t, was, name), `"`+name+`":null`, 1)
					wantBody(t, "after "+step.deleted+" "+path, r, 200, want)
				default:
					wantBody(t, "after "+step.deleted+" "+path, r, was.Status, string(was.Body))
				}
			}
		}
	})
}
