package main_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func TestImport(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		k := p.key("Acme", "read")
		p.file("invoices.csv", "\ufeffnumber,amount,paid_at,description\r\n2026-1,1.10,2026-01-02T03:04:05+01:00,\"a\r\nb\"\r\n2026-2,,,\r\n")
		p.file("tasks.ndjson", "{\"name\":\"a\"}\n{\"name\":\"b\",\"status\":null}\n")
		p.file("tasks.txt", "{\"name\":\"c\"}\n")
		var made map[string]int
		p.json(&made, "import", "invoices", "invoices.csv", "--workspace", "Acme")
		if len(made) != 1 || made["created"] != 2 {
			t.Errorf("printed %v", made)
		}
		if out := p.ok("import", "--workspace=Acme", "tasks", "tasks.ndjson"); out != "Created 2 tasks in workspace \"Acme\".\n" {
			t.Errorf("printed %q", out)
		}
		p.ok("import", "tasks", "tasks.txt", "--workspace=Acme", "--format", "ndjson")
		s := p.serve()
		defer s.stop()
		list := s.status(200, "GET", "/api/v1/invoices", k.Token, "")
		second, first := strings.Index(list, `"number":"2026-2"`), strings.Index(list, `"number":"2026-1"`)
		if second < 0 || first < second || !contains(list, `"amount":1.1,`) || !contains(list, `"paid_at":"2026-01-02T02:04:05.000Z"`) || !contains(list, `"description":"a\r\nb"`) {
			t.Errorf("listed %s", list)
		}
		if list := s.status(200, "GET", "/api/v1/tasks", k.Token, ""); !contains(list, `"count":3}`) {
			t.Errorf("listed %s", list)
		}
	})
}

func TestImportFaults(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	p.ok("workspace", "create", "Acme")
	p.file("tasks.csv", "name,status\na,open\n\" \",open\n")
	p.file("tasks.ndjson", "{\"name\":\"a\"}\n{\"name\":\"b\",\"nmae\":1}\n")
	p.file("tasks.txt", "")
	p.file("header.csv", "name,stauts\n")
	p.fails("nothing was imported: tasks.csv: line 3: name must not be blank.", "import", "tasks", "tasks.csv", "--workspace", "Acme")
	p.fails(`nothing was imported: tasks.ndjson: line 2: "nmae" is not a known field; the nearest is "name".`, "import", "tasks", "tasks.ndjson", "--workspace", "Acme", "--json")
	p.fails(`nothing was imported: header.csv: line 1: "stauts" is not a known field; the nearest is "status".`, "import", "tasks", "header.csv", "--workspace", "Acme")
	p.fails(`--format: want csv or ndjson, not "xml"`, "import", "tasks", "tasks.txt", "--workspace", "Acme", "--format", "xml")
	p.fails("cannot tell the format of tasks.txt: name it .ndjson or .csv, or say --format", "import", "tasks", "tasks.txt", "--workspace", "Acme")
	p.fails("there is no workspace \"Nix\"; make it with `records workspace create`", "import", "tasks", "tasks.csv", "--workspace", "Nix")
	p.failsWith(`there is no resource "task"`, "import", "task", "tasks.csv", "--workspace", "Acme")
	p.failsWith("absent.csv", "import", "tasks", "absent.csv", "--workspace", "Acme")
	p.failsWith("workspace", "import", "tasks", "tasks.csv")
	p.failsWith("arg", "import", "tasks", "--workspace", "Acme")
}

// Where the reply to the commit is lost, nobody is told that nothing was imported: it
// was, and to import the file again would make its records twice.
func TestImportOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	proxy := dbtest.NewProxy(t, dbtest.URL(t, dialect.Postgres))
	p := newProgram(t, proxy.URL())
	p.ok("workspace", "create", "Acme")
	p.file("tasks.ndjson", "{\"name\":\"a\"}\n")
	proxy.Cut(dbtest.Cut{Match: "COMMIT"})
	p.failsWith("tasks.ndjson may have been imported; look before you repeat it: ", "import", "tasks", "tasks.ndjson", "--workspace", "Acme")
	k := p.key("Acme", "read")
	s := p.serve()
	defer s.stop()
	if list := s.status(200, "GET", "/api/v1/tasks", k.Token, ""); !contains(list, `"count":1}`) {
		t.Errorf("listed %s", list)
	}
}
