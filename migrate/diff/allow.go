package diff

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"github.com/pressly/goose/v3"

	"records/migrate/lint"
	"records/migrate/script"
)

// copying is the reason that needs no developer: SQLite has no other way.
const copying = "SQLite changes this only by copying the table"

// gravity is the order in which rules are named.
const gravity = "destroys rewrites locks breaks unknown"

// allow puts a comment above each statement that `records migrate lint` would
// refuse: the developer's reason allows what it finds. A program of the last
// release that cannot serve what is left is shut out all the same: a reason why
// nobody misses a column does not keep that program from reading it. It returns why
// lint would refuse what nobody has given a reason for.
func (p *plan) allow(folder string, names []string, steps []step) (refused []string, err error) {
	files, err := readScripts(folder, p.db.Dialect())
	if err != nil {
		return nil, err
	}
	from := len(files)
	for i, s := range steps {
		file, err := script.Parse(names[i], []byte(s.String()), quotes(p.db.Dialect()))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	shutsOut := map[*statement]bool{}
	for _, f := range lint.Pending(p.db.Dialect(), files, min(from, p.released(files))) {
		if s := found(files[from:], steps, f); s != nil && f.ShutsOut() {
			shutsOut[s] = true
		}
	}
	needs := map[*statement][]string{}
	for _, f := range lint.Pending(p.db.Dialect(), files, from) {
		s := found(files[from:], steps, f)
		if s == nil {
			return nil, fmt.Errorf("lint finds a fault in what was written: %s: %s", f.Statement, f.Why)
		}
		if !f.ShutsOut() || !shutsOut[s] {
			needs[s] = append(needs[s], string(f.Rule))
		}
		if p.reason == "" && (f.Rule != lint.Rewrites || p.db.Dialect() != dialect.SQLite) {
			refused = append(refused, fmt.Sprintf("%s: %s", cmp.Or(s.comment, s.text), f.Why))
		}
	}
	reason := cmp.Or(p.reason, copying)
	for s, rules := range needs {
		slices.SortFunc(rules, func(a, b string) int { return strings.Index(gravity, a) - strings.Index(gravity, b) })
		s.allow = append(s.allow, "records: allow "+strings.Join(slices.Compact(rules), ", ")+": "+reason)
	}
	for s := range shutsOut {
		p.shutsOut = true
		s.allow = append(s.allow, "records: shuts out older programs: "+reason)
	}
	return refused, nil
}

// released is the number of the migrations that the last release has, all that
// there are where no release is known.
func (p *plan) released(files []*script.File) int {
	if p.release == 0 {
		return len(files)
	}
	after := func(f *script.File) bool {
		version, err := goose.NumericComponent(f.Name)
		return err == nil && version > p.release
	}
	if i := slices.IndexFunc(files, after); i >= 0 {
		return i
	}
	return len(files)
}

// found is the statement that a finding is about.
func found(files []*script.File, steps []step, f lint.Finding) *statement {
	for i, file := range files {
		for n, s := range file.Statements {
			if file.Name == f.File && s.Line == f.Line {
				return &steps[i].statements[n]
			}
		}
	}
	return nil
}

// readScripts reads the migrations of a folder, oldest first.
func readScripts(folder, dialectName string) ([]*script.File, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.sql")) // sorted
	if err != nil {
		return nil, err
	}
	var files []*script.File
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := script.Parse(filepath.Base(name), text, quotes(dialectName))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func quotes(dialectName string) script.Quotes {
	if dialectName == dialect.Postgres {
		return script.Postgres
	}
	return script.SQLite
}
