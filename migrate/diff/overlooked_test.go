package diff_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"records/migrate/diff"
)

// branch adds migrations to copies of the folders, as somebody does who has nothing
// but what was released, and returns them by folder and name.
func (l *lab) branch(t *testing.T, name string, change func(*diff.Declaration)) map[string]map[string]string {
	t.Helper()
	d := declaration(t)
	change(&d)
	r := request(d, "because")
	r.Name, r.Kinds = name, kinds(t)
	if name == "later" {
		r.Version = r.Version.AddDate(0, 0, 1)
	}
	var targets []diff.Target
	for _, target := range l.targets {
		targets = append(targets, diff.Target{Dev: target.Dev, Folder: folderOf(t, target.Dev.Dialect())})
	}
	reports, err := diff.Write(t.Context(), r, targets...)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]map[string]string{}
	for _, report := range reports {
		texts := map[string]string{}
		for _, file := range report.Files {
			texts[filepath.Base(file)] = textOf(t, []string{file})
		}
		written[l.folders[report.Dialect]] = texts
	}
	return written
}

// merge puts the migrations of a branch beside those that are there.
func merge(t *testing.T, branch map[string]map[string]string) {
	t.Helper()
	for folder, texts := range branch {
		for name, text := range texts {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := diff.Sum(folder); err != nil {
			t.Fatal(err)
		}
	}
}

// remove takes them away again, as whoever generates them anew does.
func remove(t *testing.T, branch map[string]map[string]string) {
	t.Helper()
	for folder, texts := range branch {
		for name := range texts {
			if err := os.Remove(filepath.Join(folder, name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := diff.Sum(folder); err != nil {
			t.Fatal(err)
		}
	}
}

func addMemo(d *diff.Declaration) {
	addColumn(d, "tasks", schema.Column{Name: "lab_memo", Type: field.TypeString, Nullable: true})
}

func addCompany(d *diff.Declaration) { refer(d, "tasks", "company_id", "companies") }

// Of two branches one adds a column, and the other writes the table anew, without it.
// What was in the column is not lost, also where somebody has added it again.
func TestMergedMigrations(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	earlier, later := l.branch(t, "earlier", addMemo), l.branch(t, "later", addCompany)
	merge(t, earlier)
	for d, db := range l.dbs {
		l.up(t, d)
		run(t, db, "UPDATE tasks SET lab_memo = name")
	}
	merge(t, later)
	addMemo(&l.declaration)
	addCompany(&l.declaration)
	again := map[string]map[string]string{
		l.folders[dialect.SQLite]:   {"20990201000000_again.sql": "-- +goose Up\nALTER TABLE `tasks` ADD COLUMN `lab_memo` text NULL;\n"},
		l.folders[dialect.Postgres]: {"20990201000000_again.sql": "-- +goose Up\n-- Nothing.\n"},
	}
	for _, added := range []map[string]map[string]string{{}, again} {
		merge(t, added)
		before := l.files(t)
		_, err := l.write(t, "because")
		for _, part := range []string{
			"on SQLite 20990102000000_later.sql writes the table tasks anew without the column lab_memo, which 20990101000000_earlier.sql has added",
			"make migration-sums", "make migration name=",
		} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v; want %q in it", err, part)
			}
		}
		if l.files(t) != before {
			t.Error("it has written something")
		}
	}
	remove(t, again)
	remove(t, later)
	l.evolve(t, "")
	l.secondIsEmpty(t)
	for d, db := range l.dbs {
		if n := count(t, db, "tasks WHERE lab_memo IS NULL"); n != 0 {
			t.Errorf("%s: %d tasks have lost what was in the column", d, n)
		}
	}
}

// A column that the other branch has renamed stops the replay, which tells the way out.
func TestMergedWithARenaming(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	rename := func(d *diff.Declaration) {
		columnOf(d, "tasks.priority").Name = "lab_urgency"
		d.Renames["tasks.lab_urgency"] = "priority"
	}
	merge(t, l.branch(t, "earlier", rename))
	merge(t, l.branch(t, "later", addCompany))
	rename(&l.declaration)
	addCompany(&l.declaration)
	_, err := l.write(t, "because")
	if err == nil || !strings.Contains(err.Error(), "replaying 20990102000000_later.sql:") || !strings.Contains(err.Error(), "generate it anew") {
		t.Errorf("%v", err)
	}
}

// A column that went, or has another name, may come again.
func TestColumnThatComesAgain(t *testing.T) {
	t.Parallel()
	drop := func(d *diff.Declaration) { dropColumn(d, "tasks.lab_memo") }
	rename := func(d *diff.Declaration) {
		columnOf(d, "tasks.lab_memo").Name = "lab_remark"
		d.Renames["tasks.lab_remark"] = "lab_memo"
	}
	renamed := func(d *diff.Declaration) {
		delete(d.Renames, "tasks.lab_remark")
		addMemo(d)
	}
	for name, changes := range map[string][]func(*diff.Declaration){
		"dropped": {addMemo, drop, addMemo, addCompany},
		"renamed": {addMemo, rename, renamed, addCompany},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			for _, change := range changes {
				l.evolve(t, "because", change)
			}
			l.secondIsEmpty(t)
		})
	}
}
