package load_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql"

	"records/internal/load"
)

func reader(s string) io.Reader { return strings.NewReader(s) }

func (f fixture) byID() func(*sql.Selector) {
	return func(s *sql.Selector) { s.OrderBy(s.C("id")) }
}

func TestNDJSON(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		const id = "0190163d-8694-739b-aea5-966c26f8ad90"
		f.imported(t, "tasks", "\ufeff"+`{"name":"a","description":"x\r\ny"}`+"\r\n\n  \t\n"+
			` { "name" : "b", "description": null, "id": "`+id+`", "created_at": "2001-01-01T00:00:00Z" } `+"\n"+
			`{"name":"c","description":""}`, load.NDJSON, 3)
		all := f.tasks(t)
		if all[2].Name != "a" || text(all[2].Description) != "x\r\ny" || all[1].Description != nil || text(all[0].Description) != "" {
			t.Errorf("got %v", all)
		}
		if all[1].ID.String() == id || all[1].CreatedAt.Year() < 2020 {
			t.Errorf("taken from the file: %v", all[1])
		}
	})
}

func TestNDJSONFaultsNameTheirLine(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		f.imported(t, "tasks", "", load.NDJSON, 0)
		f.imported(t, "tasks", "\n\r\n", load.NDJSON, 0)
		const good = "{\"name\":\"a\"}\n\n" // lines 1 and 2
		f.refused(t, good+"{}\n", load.NDJSON, 3, "name is required.")
		f.refused(t, good+good+`{"name":"","nme":1}`, load.NDJSON, 5, `name must not be blank; "nme" is not a known field; the nearest is "name".`)
		f.refused(t, good+"[]\n", load.NDJSON, 3, "The body must be one JSON object.")
		f.refused(t, good+"{\n\"name\":\"a\"}\n", load.NDJSON, 3, "")
		f.refused(t, good+`{"name":"a"}{"name":"b"}`, load.NDJSON, 3, "The body must be one JSON object with nothing after it.")
		f.refused(t, good+"{\"name\":\"\xff\"}", load.NDJSON, 3, "")
		f.refused(t, good+`{"name":"a","description":"`+strings.Repeat("a", 1<<20)+`"}`, load.NDJSON, 3, "The line is longer than 1 MiB.")
		f.refused(t, "{}\n[]\n", load.NDJSON, 1, "name is required.")
	})
}

func TestLongCSVRow(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		rows := strings.Repeat("b,c\n", 1<<19)
		f.refused(t, "name,description\na,\""+rows, load.CSV, 2, "The row is longer than 1 MiB; is a quote not closed?")
	})
}

func TestReferences(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		other := newWorkspace(t, f.client)
		own, err := f.client.Project.Create().SetName("own").Save(f.ctx)
		if err != nil {
			t.Fatal(err)
		}
		foreign, err := f.client.Project.Create().SetName("foreign").Save(other)
		if err != nil {
			t.Fatal(err)
		}
		const message = "project_id refers to no record of this workspace."
		for _, bad := range []string{foreign.ID.String(), "0190163d-8694-739b-aea5-966c26f8ad90"} {
			f.refused(t, fmt.Sprintf("name,project_id\na,%s\nb,\nc,%s\n", own.ID, bad), load.CSV, 4, message)
			f.refused(t, fmt.Sprintf(`{"name":"a","project_id":%q}`+"\n"+`{"name":"b","project_id":%q}`, own.ID, bad), load.NDJSON, 2, message)
		}
		f.imported(t, "tasks", fmt.Sprintf("name,project_id\na,%s\nb,\n", strings.ToUpper(own.ID.String())), load.CSV, 2)
		if got := f.tasks(t); *got[1].ProjectID != own.ID || got[0].ProjectID != nil {
			t.Errorf("got %v", got)
		}
	})
}

// What one row gives is not taken for the next one's.
func TestRowsShareNothing(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		f.imported(t, "tasks", `{"name":"a","description":"x","due_date":"2026-12-01"}`+"\n"+`{"name":"b","status":"open"}`+"\n"+`{"name":"c"}`, load.NDJSON, 3)
		all := f.tasks(t)
		if all[2].Description == nil || all[2].Status != nil || all[1].Description != nil || all[1].DueDate != nil || all[0].Status != nil {
			t.Errorf("got %v", all)
		}
		f = fixture{f.db, f.client, newWorkspace(t, f.client)}
		f.refused(t, `{"name":"a"}`+"\n"+`{"status":"open"}`, load.NDJSON, 2, "name is required.")
	})
}

// The first fault of a file is named, whatever it is.
func TestFirstFaultIsNamed(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		const absent = "0190163d-8694-739b-aea5-966c26f8ad90"
		f.refused(t, "name,project_id\na,\nb,"+absent+"\n,\n", load.CSV, 3, "project_id refers to no record of this workspace.")
		f.refused(t, "name,project_id\na,\n\" \",\nb,"+absent+"\n", load.CSV, 3, "name must not be blank.")
	})
}

// Rows are created in their order, across batches: the list, newest first,
// begins with the last line.
func TestManyRows(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		const n = 3000
		var file strings.Builder
		file.WriteString("name\n")
		for i := range n {
			fmt.Fprintf(&file, "task %d\n", i)
		}
		f.refused(t, file.String()+"\" \"\n", load.CSV, n+2, "name must not be blank.")
		f.refused(t, file.String()+"a,b\n", load.CSV, n+2, "")
		f.imported(t, "tasks", file.String(), load.CSV, n)
		all := f.tasks(t)
		if len(all) != n {
			t.Fatalf("%d tasks; want %d", len(all), n)
		}
		for i, got := range all {
			if want := fmt.Sprintf("task %d", n-1-i); got.Name != want {
				t.Fatalf("at %d of the list is %q; want %q", i, got.Name, want)
			}
		}
	})
}

func TestUnknownResource(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		for _, plural := range []string{"task", "workspaces", "api_keys", ""} {
			if n, err := load.Import(f.ctx, f.client, plural, reader("name\na\n"), load.CSV); n != 0 || err == nil || !strings.HasPrefix(err.Error(), "there is no resource ") {
				t.Errorf("%q: %d, %v", plural, n, err)
			}
		}
	})
}

func TestImportNeedsAViewerWhoMayWrite(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		if n, err := load.Import(t.Context(), f.client, "tasks", reader("name\na\n"), load.CSV); n != 0 || err == nil {
			t.Errorf("without a viewer: %d, %v", n, err)
		}
	})
}
