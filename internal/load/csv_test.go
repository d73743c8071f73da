package load_test

import (
	"strings"
	"testing"

	"records/internal/load"
)

// cells are what stands in a file, and what becomes of it.
var cells = []struct{ cell, want string }{
	{`plain`, "plain"},
	{``, "null"},
	{`""`, "null"},
	{` `, " "},
	{`" a "`, " a "},
	{`"a,b"`, "a,b"},
	{`"say ""hi"""`, `say "hi"`},
	{"\"two\nlines\"", "two\nlines"},
	{"\"a\r\nb\r\n\"", "a\r\nb\r\n"},
	{"\"a\rb\r\"", "a\rb\r"},
	{"\"\r\r\n\n\r\n\"", "\r\r\n\n\r\n"},
	{"\"\"\"\r\n\"", "\"\r\n"},
	{`007`, "007"},
	{`1e3`, "1e3"},
	{`<ä&𝄞>\n`, `<ä&𝄞>\n`},
	{"\u200b", "\u200b"},
}

func TestCSVCells(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		for _, end := range []string{"\n", "\r\n"} {
			g := fixture{f.db, f.client, newWorkspace(t, f.client)}
			file := "\ufeff\"description\",name" + end
			for _, c := range cells {
				file += c.cell + ",a" + end + end // an empty line between them
			}
			g.imported(t, "tasks", strings.TrimSuffix(file, end), load.CSV, len(cells))
			for i, task := range g.tasks(t) {
				if c := cells[len(cells)-1-i]; task.Name != "a" || text(task.Description) != c.want {
					t.Errorf("%q with %q became %q, %q; want %q", c.cell, end, task.Name, text(task.Description), c.want)
				}
			}
		}
	})
}

// A cell may end the file.
func TestCSVWithoutALastLineEnd(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		f.imported(t, "tasks", "name,description\na,\"b\r\n\"", load.CSV, 1)
		f.imported(t, "tasks", "name,description\na,", load.CSV, 1)
		if all := f.tasks(t); text(all[1].Description) != "b\r\n" || all[0].Description != nil {
			t.Errorf("got %v", all)
		}
	})
}

func TestCSVNumbersAndDates(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		f.imported(t, "invoices", "amount,paid_at,due_date,number\n1.10,2026-10-28T01:30:00.5+02:00,2024-02-29,007\n-1e3,,,\n", load.CSV, 2)
		all, err := f.client.Invoice.Query().Order(f.byID()).All(f.ctx)
		if err != nil {
			t.Fatal(err)
		}
		if i := all[0]; i.Amount.String() != "1.1" || i.PaidAt.UTC().String() != "2026-10-27 23:30:00.5 +0000 UTC" || i.DueDate.String() != "2024-02-29" || *i.Number != "007" {
			t.Errorf("the first: %v", i)
		}
		if i := all[1]; i.Amount.String() != "-1000" || i.PaidAt != nil || i.DueDate != nil || i.Number != nil {
			t.Errorf("the second: %v", i)
		}
		for _, amount := range []string{"1,5", "1 000", "€5", "0x10", "+1", "01", "NaN", " 1", "1 ", "'1", "true", "0.00001"} {
			g := fixture{f.db, f.client, newWorkspace(t, f.client)}
			if _, err := load.Import(g.ctx, g.client, "invoices", reader("number,amount\na,1\nb,\""+amount+"\"\n"), load.CSV); err == nil {
				t.Errorf("the amount %q is accepted", amount)
			}
		}
	})
}

func TestCSVIgnoresWhatTheServerSets(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		const id = "0190163d-8694-739b-aea5-966c26f8ad90"
		f.imported(t, "tasks", "id,created_at,name,updated_at\n"+id+",2001-01-01T00:00:00Z,a,x\n", load.CSV, 1)
		if got := f.tasks(t)[0]; got.ID.String() == id || got.CreatedAt.Year() < 2020 || got.UpdatedAt.Year() < 2020 {
			t.Errorf("taken from the file: %v", got)
		}
	})
}

func TestCSVHeader(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		f.imported(t, "tasks", "status,name\n", load.CSV, 0)
		f.imported(t, "tasks", "status\n", load.CSV, 0)
		f.refused(t, "", load.CSV, 1, "The file is empty; its first line must name the fields.")
		f.refused(t, "\ufeff", load.CSV, 1, "The file is empty; its first line must name the fields.")
		f.refused(t, "name,nmae\n", load.CSV, 1, `"nmae" is not a known field; the nearest is "name".`)
		f.refused(t, "Name\na\n", load.CSV, 1, `"Name" is not a known field; the nearest is "name".`)
		f.refused(t, "name, status\na,b\n", load.CSV, 1, `" status" is not a known field; the nearest is "status".`)
		f.refused(t, "\n\nname,\na,b\n", load.CSV, 3, "")
		f.refused(t, "status,name,name\nopen,a,b\n", load.CSV, 1, `The header names the field "name" twice.`)
		f.refused(t, "\n\nnmae,name,nmae\na,b,c\n", load.CSV, 3, `"nmae" is not a known field; the nearest is "name".`)
		f.refused(t, "name,nmae,name\na,b,c\n", load.CSV, 1, `"nmae" is not a known field; the nearest is "name".`)
		f.refused(t, "name,\"st\"atus\na,b\n", load.CSV, 1, "")
		f.refused(t, "name\xff\na\n", load.CSV, 1, "")
		f.refused(t, "status\nopen\n", load.CSV, 2, "name is required.")
	})
}

func TestCSVFaultsNameTheirLine(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		const head = "name,description\r\n" + "\"a\",\"two\r\nlines\"\r\n" // lines 1 to 3
		f.refused(t, head+"b,c\n,d\n", load.CSV, 5, "name must not be null.")
		f.refused(t, head+"\n\n\" \",\n", load.CSV, 6, "name must not be blank.")
		f.refused(t, head+"\"b\n\n\",\"\n\n\"\n\" \",\"\n\"\n", load.CSV, 9, "name must not be blank.")
		f.refused(t, head+"b\n", load.CSV, 4, "The line is not well-formed CSV: wrong number of fields.")
		f.refused(t, head+"b,c,d\n", load.CSV, 4, "The line is not well-formed CSV: wrong number of fields.")
		f.refused(t, head+"\"b\n\n\"\n", load.CSV, 4, "The line is not well-formed CSV: wrong number of fields.")
		f.refused(t, head+"b,c\"d\n", load.CSV, 4, `The line is not well-formed CSV: bare " in non-quoted-field.`)
		f.refused(t, head+"b,c\n\"d\n\ne", load.CSV, 5, `The line is not well-formed CSV: extraneous or missing " in quoted-field.`)
		f.refused(t, head+"b,\xff\n", load.CSV, 4, "The line is not valid UTF-8.")
		f.refused(t, head+"b,\"\n\xff\"\n", load.CSV, 4, "The line is not valid UTF-8.")
		f.refused(t, head+"b,\"a\x00\"\n", load.CSV, 4, "description must not contain the NUL character.")
		f.refused(t, head+" ,c\nd,e,f\n", load.CSV, 4, "name must not be blank.") // the first of two
	})
}
