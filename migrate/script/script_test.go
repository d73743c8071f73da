package script_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/sqltool"

	"records/migrate/script"
)

func parse(t *testing.T, text string, quotes script.Quotes) *script.File {
	t.Helper()
	f, err := script.Parse("x.sql", []byte(text), quotes)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return f
}

// The program's own migrations, which have none of what fools Atlas, are split as
// Atlas splits them.
func TestAsAtlasSplits(t *testing.T) {
	t.Parallel()
	for folder, quotes := range map[string]script.Quotes{"postgres": script.Postgres, "sqlite": script.SQLite} {
		names, err := filepath.Glob("../" + folder + "/*.sql")
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := (&sqltool.GooseFile{LocalFile: atlas.NewLocalFile(filepath.Base(name), text)}).Stmts()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			lines := strings.Split(string(text), "\n")
			for _, s := range parse(t, string(text), quotes).Statements {
				got = append(got, s.Text)
				first, _, _ := strings.Cut(s.Text, "\n")
				if !strings.HasPrefix(lines[s.Line-1], first) {
					t.Errorf("%s: line %d is %q, not %q", name, s.Line, lines[s.Line-1], first)
				}
			}
			want = slices.DeleteFunc(want, func(s string) bool { return strings.HasPrefix(s, "-- Nothing to do here") }) // which Atlas takes for a statement
			for i := range want {
				want[i] = strings.TrimSuffix(want[i], ";")
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d statements, Atlas has %d", name, len(got), len(want))
			}
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"a; b;c":                     {"a", "b", "c"},
		";;a;;":                      {"a"},
		"a ';' b; c":                 {"a ';' b", "c"},
		"a ';\n--' b;\n c":           {"a ';\n--' b", "c"},
		"a 'it''s;' ; b":             {"a 'it''s;'", "b"},
		"a \";\" ; b":                {"a \";\"", "b"},
		"a -- ; b\n c; d":            {"a -- ; b\n c", "d"},
		"a /* ; */ b; c":             {"a /* ; */ b", "c"},
		"-- only a comment\n/* ; */": nil,
		"a\r\n;\r\nb":                {"a", "b"},
		"-- +goose StatementBegin\na;;\n-- +goose StatementEnd\nc": {"a", "c"},
		"a;\n-- +goose Down\nb;":                                   {"a"},
	} {
		for _, quotes := range []script.Quotes{script.Postgres, script.SQLite} {
			var got []string
			for _, s := range parse(t, "-- +goose Up\n"+text, quotes).Statements {
				got = append(got, s.Text)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q: %q; want %q", text, got, want)
			}
		}
	}
}

func TestQuotes(t *testing.T) {
	t.Parallel()
	for text, n := range map[string][2]int{ // statements in PostgreSQL, in SQLite
		"a $$ ; $$ b; c":      {2, 3},
		"a $x$ ; $$ ; $x$; c": {2, 4},
		"a $1; b $2":          {2, 2},
		`a E'\';'; b`:         {2, -1},
		"a /* /* ; */ ; */ b": {1, 2},
		"a `;` b":             {2, 1},
		"a [;] b":             {2, 1},
		"a b$c$d; e":          {2, 2},
		"a -- b\r; c\n; d":    {3, 2}, // a carriage return ends a comment
	} {
		for i, quotes := range []script.Quotes{script.Postgres, script.SQLite} {
			f, err := script.Parse("x.sql", []byte("-- +goose Up\n"+text), quotes)
			if n[i] < 0 && err == nil || n[i] >= 0 && (err != nil || len(f.Statements) != n[i]) {
				t.Errorf("%q, %d: %v, %v; want %d", text, quotes, f, err, n[i])
			}
		}
	}
}

func TestFaultyFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                              "x.sql:1: a migration begins with the line -- +goose Up",
		"CREATE TABLE t ();":                            "x.sql:1: a migration begins with the line -- +goose Up",
		"-- +goose Up\n-- +goose Up":                    "x.sql:2: -- +goose UP has no meaning here",
		"-- +goose Up\n-- +goose ENVSUB ON":             "x.sql:2: -- +goose ENVSUB ON has no meaning here",
		"-- +goose Up\n\na 'b\n;":                       "x.sql:3: a quotation does not end",
		"-- +goose Up\n/* a":                            "x.sql:2: a comment does not end",
		"-- +goose Up\n-- +goose StatementEnd":          "x.sql:2: -- +goose STATEMENTEND has no meaning here",
		"-- +goose Up\n-- +goose StatementBegin\na;":    "x.sql:3: -- +goose StatementBegin without -- +goose StatementEnd",
		"-- +goose Up\n-- +goose NO TRANSACTION\na; b;": "x.sql:3: a migration without a transaction holds exactly one statement, so that it can be repeated; this one has 2",
		"-- +goose Up\n-- +goose NO TRANSACTION\n":      "x.sql:3: a migration without a transaction holds exactly one statement, so that it can be repeated; this one has 0",
		"-- +goose Up\na;\n-- +goose NO TRANSACTION\nb": "x.sql:3: -- +goose NO TRANSACTION has no meaning here",
	} {
		if _, err := script.Parse("x.sql", []byte(text), script.Postgres); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}

const ended = "one statement between -- +goose StatementBegin and -- +goose StatementEnd: this is behind its semicolon"

// Between StatementBegin and StatementEnd stands one statement: PostgreSQL and
// SQLite would run all that are there, and only the first would be judged.
func TestOneStatementInABlock(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{ // the errors of PostgreSQL and of SQLite
		"ANALYZE;\nDELETE FROM tasks;":                                                                   {ended, ended},
		"ANALYZE; /* x */ ;\n\nDELETE FROM tasks":                                                        {ended, ended},
		"COMMENT ON TABLE tasks IS 'x; y'; DROP TABLE tasks;":                                            {ended, ended},
		"CREATE FUNCTION f() RETURNS int AS $$ a; b; $$; DELETE FROM tasks;":                             {ended, ended},
		"CREATE FUNCTION f() RETURNS int AS $$ a; b; $$;":                                                {"", "-"},
		"CREATE TRIGGER t BEFORE DELETE ON x BEGIN SELECT CASE a WHEN 1 THEN 2 END; DELETE FROM y; END;": {ended, ""},
		"CREATE TEMP TRIGGER t BEFORE DELETE ON x BEGIN DELETE FROM y; END":                              {ended, ""},
		"CREATE TRIGGER t BEFORE DELETE ON x BEGIN DELETE FROM y; END; DELETE FROM z;":                   {ended, ended},
		"CREATE TABLE trigger (begin int); DELETE FROM z; END":                                           {ended, ended},
		"CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END;":               {"", ended},
		"CREATE PROCEDURE f() BEGIN ATOMIC END; DELETE FROM z;":                                          {ended, ended},
		"CREATE PROCEDURE f() BEGIN ATOMIC SELECT 1; END; DELETE FROM z;":                                {ended, ended},
		"CREATE FUNCTION f(begin atomic) RETURNS int AS 'a'; DELETE FROM z; END":                         {ended, ended},
	} {
		for i, quotes := range []script.Quotes{script.Postgres, script.SQLite} {
			if want[i] == "-" {
				continue
			}
			f, err := script.Parse("x.sql", []byte("-- +goose Up\n-- +goose StatementBegin\n"+text+"\n-- +goose StatementEnd\nc;"), quotes)
			if want[i] == "" && (err != nil || len(f.Statements) != 2) || want[i] != "" && (err == nil || !strings.HasSuffix(err.Error(), want[i])) {
				t.Errorf("%d: %s: %v; want %q", quotes, text, err, want[i])
			}
		}
	}
}

// A migration keeps to its transaction.
func TestTransactionsAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"BEGIN", "Begin IMMEDIATE", "START TRANSACTION", "COMMIT AND CHAIN", "/* x */ END", "ROLLBACK TO a", "abort", "SAVEPOINT a", "RELEASE a", "PREPARE TRANSACTION 'a'"} {
		for _, around := range []string{"%s", "-- records: allow unknown: x\n%s;", "-- +goose StatementBegin\n%s;\n-- +goose StatementEnd"} {
			for _, quotes := range []script.Quotes{script.Postgres, script.SQLite} {
				_, err := script.Parse("x.sql", []byte("-- +goose Up\na;\n"+strings.Replace(around, "%s", text, 1)), quotes)
				if err == nil || !strings.Contains(err.Error(), "neither begins nor ends a transaction") {
					t.Errorf("%q: %v", text, err)
				}
			}
		}
	}
	parse(t, "-- +goose Up\nPREPARE a AS SELECT 1; ROLLBACKS; \"commit\";", script.Postgres)
}

// What PostgreSQL would read otherwise is refused: a second statement could hide in
// it.
func TestQuotationsThatAreNotUnderstood(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SELECT E'a'\n'\\''; DELETE FROM tasks; --'": "x.sql:3: an E'…' that goes on",
		`DELETE FROM u&"t\0061sks"`:                  "x.sql:2: a quotation with U&",
		`SELECT U&'\0061'`:                           "x.sql:2: a quotation with U&",
	} {
		if _, err := script.Parse("x.sql", []byte("-- +goose Up\n"+text), script.Postgres); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	parse(t, "-- +goose Up\nSELECT 'a'\n'b', u & 'a', E'c', 'd'", script.Postgres)
}

// Fuzzing: no text makes it panic or lose a statement's place.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"-- +goose Up\na 'b'; c", "-- +goose Up\n$a$ $a$ /* */ \"x\" [y] `z`", "-- +goose Up\n-- records: allow destroys: x\nDROP TABLE t"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, quotes := range []script.Quotes{script.Postgres, script.SQLite} {
			file, err := script.Parse("x.sql", []byte(text), quotes)
			if err != nil {
				continue
			}
			for _, s := range file.Statements {
				if !strings.Contains(text, s.Text) || s.Line < 1 || s.Line > strings.Count(text, "\n")+1 {
					t.Errorf("%q: %+v", text, s)
				}
				_ = s.First()
			}
		}
	})
}
