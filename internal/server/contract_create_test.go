package server_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	entrest "records/ent/rest"
	"records/internal/servertest"
)

const (
	uuidPattern = `[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`
	timePattern = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
	person      = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" // of the customer's own product
)

// creation is a body, and the answer to it between id and timestamps.
type creation struct{ plural, body, answer string }

func creations(company, contact, project string) []creation {
	return []creation{
		{"companies", `{"name":"a"}`, `"name":"a","domain":null,"industry":null,"email":null,"phone":null,"website":null,"address":null,"owner_id":null`},
		{"contacts", `{"name":"a"}`, `"name":"a","email":null,"phone":null,"company_id":null,"owner_id":null`},
		{"deals", `{"title":"a"}`, `"title":"a","stage":null,"value":null,"company_id":null,"contact_id":null,"owner_id":null`},
		{"projects", `{"name":"a"}`, `"name":"a","status":null,"description":null,"start_date":null,"due_date":null,"company_id":null,"owner_id":null`},
		{"tasks", `{"name":"a"}`, `"name":"a","status":null,"priority":null,"project_id":null,"assignee_id":null,"due_date":null,"description":null`},
		{
			"companies", `{"name":"a","domain":"d","industry":"i","email":"a@b.example","phone":"p","website":"w","address":"x","owner_id":"` + person + `"}`,
			`"name":"a","domain":"d","industry":"i","email":"a@b.example","phone":"p","website":"w","address":"x","owner_id":"` + person + `"`,
		},
		{
			"contacts", `{"name":"a","email":"a@b","phone":"","company_id":"` + company + `","owner_id":"` + strings.ToUpper(person) + `"}`,
			`"name":"a","email":"a@b","phone":"","company_id":"` + company + `","owner_id":"` + person + `"`,
		},
		{
			"deals", `{"contact_id":"` + contact + `","company_id":"` + strings.ToUpper(company) + `","value":1e3,"title":"a","stage":"s","owner_id":"00000000-0000-0000-0000-000000000000"}`,
			`"title":"a","stage":"s","value":1000,"company_id":"` + company + `","contact_id":"` + contact + `","owner_id":"00000000-0000-0000-0000-000000000000"`,
		},
		{
			"projects", `{"name":"a","status":"s","description":"d","start_date":"2024-02-29","due_date":"9999-12-31","company_id":"` + company + `","owner_id":"ffffffff-ffff-ffff-ffff-ffffffffffff"}`,
			`"name":"a","status":"s","description":"d","start_date":"2024-02-29","due_date":"9999-12-31","company_id":"` + company + `","owner_id":"ffffffff-ffff-ffff-ffff-ffffffffffff"`,
		},
		{
			"tasks", `{"name":"a","status":"s","priority":"p","project_id":"` + project + `","assignee_id":"` + person + `","due_date":"0001-01-01","description":"d"}`,
			`"name":"a","status":"s","priority":"p","project_id":"` + project + `","assignee_id":"` + person + `","due_date":"0001-01-01","description":"d"`,
		},
		{ // null is the same as absent, and what the server sets is ignored, of any type
			"deals", ` {"id":"` + person + `","title":"a","created_at":7,"updated_at":{"a":[]},"value":null,"stage":null,"company_id":null,"contact_id":null,"owner_id":null} ` + "\r\n\t",
			`"title":"a","stage":null,"value":null,"company_id":null,"contact_id":null,"owner_id":null`,
		},
	}
}

// Every field is in the answer, which is the same to create and to get.
func TestCreate(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		company := s.write.Create("companies", map[string]any{"name": "c"})
		contact := s.write.Create("contacts", map[string]any{"name": "c"})
		project := s.write.Create("projects", map[string]any{"name": "p"})
		for _, c := range creations(company, contact, project) {
			before := time.Now().UTC().Truncate(time.Millisecond)
			r := s.write.Do("POST", "/"+c.plural, c.body)
			after := time.Now()
			shape := regexp.MustCompile(`^\{"id":"(` + uuidPattern + `)",` + regexp.QuoteMeta(c.answer) +
				`,"created_at":"(` + timePattern + `)","updated_at":"(` + timePattern + `)"\}$`)
			found := shape.FindSubmatch(contracted(c, r.Body))
			if r.Status != 201 || found == nil {
				t.Errorf("%s %s: %d %s", c.plural, c.body, r.Status, r.Body)
				continue
			}
			id, created, updated := string(found[1]), string(found[2]), string(found[3])
			at, err := time.Parse(time.RFC3339, created)
			if err != nil || created != updated || at.Before(before) || at.After(after) {
				t.Errorf("%s: created %s, updated %s", c.plural, created, updated)
			}
			if l := r.Header.Values("Location"); len(l) != 1 || l[0] != "/api/v1/"+c.plural+"/"+id {
				t.Errorf("%s: Location %q", c.plural, l)
			}
			wantBody(t, "get", s.read.Do("GET", "/"+c.plural+"/"+id, nil), 200, string(r.Body))
			wantBody(t, "get", s.read.Do("GET", "/"+c.plural+"/"+strings.ToUpper(id), nil), 200, string(r.Body))
			wantBody(t, "get", s.read.Do("GET", "/"+c.plural+"/"+id+"/", nil), 200, string(r.Body))
		}
	})
}

// contracted takes out of an answer what the schema has gained since: clients put up with
// it (the product's decisions, "v1 only gains").
func contracted(c creation, answer []byte) []byte {
	resource, _ := entrest.Resources(nil).Find(c.plural)
	for _, f := range resource.Fields() {
		if name := `"` + f.Name + `":`; !strings.Contains(c.answer, name) {
			answer = regexp.MustCompile(name+`("(\\.|[^"\\])*"|[^"{}\[\],]+|\{[^{}]*\}|\[[^\[\]]*\]),`).ReplaceAll(answer, nil)
		}
	}
	return answer
}

// The path with a slash at its end makes no other Location.
func TestCreateLocation(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		r := s.write.Do("POST", "/tasks/", `{"name":"a"}`)
		if r.Status != 201 || r.Header.Get("Location") != "/api/v1/tasks/"+r.ID(t) {
			t.Errorf("%d, Location %q", r.Status, r.Header.Get("Location"))
		}
		wantStatus(t, "get", s.write.Do("GET", strings.TrimPrefix(r.Header.Get("Location"), "/api/v1"), nil), 200)
	})
}

// There is no idempotency key: the same POST twice makes two records.
func TestCreateTwice(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		send := func() servertest.Response {
			return s.write.Do("POST", "/tasks", `{"name":"a"}`, "Idempotency-Key", "7b3f")
		}
		first, second := send(), send()
		if first.Status != 201 || second.Status != 201 || first.ID(t) == second.ID(t) {
			t.Errorf("%s, %s", first.Body, second.Body)
		}
		if l := readList(t, s.read.Do("GET", "/tasks", nil)); l.Count != 2 {
			t.Errorf("%d records, want 2", l.Count)
		}
	})
}

func TestRequiredAndBlank(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for plural, name := range map[string]string{"tasks": "name", "deals": "title", "contacts": "name", "projects": "name", "companies": "name"} {
			id := s.write.Create(plural, map[string]any{name: "before"})
			before := s.write.Do("GET", "/"+plural+"/"+id, nil).Body
			wantError(t, plural, s.write.Do("POST", "/"+plural, `{}`), 400, "validation_failed", name+" is required")
			wantError(t, plural, s.write.Do("POST", "/"+plural, `{"owner_id":null,"id":"a"}`), 400, "validation_failed", name)
			for _, value := range []string{`null`, `""`, `" "`, `"\t\n\u000b\f\r"`, `"\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"`} {
				body := fmt.Sprintf(`{%q:%s}`, name, value)
				wantError(t, body, s.write.Do("POST", "/"+plural, body), 400, "validation_failed", name)
				wantError(t, body, s.write.Do("PATCH", "/"+plural+"/"+id, body), 400, "validation_failed", name)
			}
			wantBody(t, plural, s.read.Do("GET", "/"+plural+"/"+id, nil), 200, string(before))
			for _, value := range []string{`"\u200b"`, `"\ufeff"`, `"\u2060"`, `"\u180e"`, `"\u0001"`, `"\u00ad"`, `"0"`, `" a "`} {
				body := fmt.Sprintf(`{%q:%s}`, name, value)
				wantStatus(t, body, s.write.Do("POST", "/"+plural, body), 201)
				wantStatus(t, body, s.write.Do("PATCH", "/"+plural+"/"+id, body), 200)
			}
		}
	})
}
