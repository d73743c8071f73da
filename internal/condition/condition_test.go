package condition_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/condition"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/scalar"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"end_date >= start_date":              "end_date >= start_date",
		" a!=1\n\tOr  b is NOT null and c=-7": "a <> 1 OR (b IS NOT NULL AND c = -7)",
		"not not (a = TRUE)":                  "NOT NOT a = true",
		"((a in ('x', '  y',''))) and b<c":    "a IN ('x', '  y', '') AND b < c",
		"NOT (a = 1 or b = 2) and d = 007":    "NOT (a = 1 OR b = 2) AND d = 7",
	} {
		r, err := condition.Parse(text)
		if err != nil || r.String() != want {
			t.Errorf("%q: %q, %v, want %q", text, r, err, want)
			continue
		}
		if again, err := condition.Parse(r.String()); err != nil || again.String() != want {
			t.Errorf("%q again: %q, %v", want, again, err)
		}
	}
}

func TestWhatDoesNotParse(t *testing.T) {
	for _, text := range []string{
		"", "a", "a =", "= a", "1 = a", "a == 1", "a = 1 = 2", "a = b.c", "A = 1", "a = 1 AND", "a = (1)", "a = NULL", "a IS 1", "a IN ()", "a IN (b)", "a IN (1", "a IN 1",
		"a = 'x", "a = 'x''y'", `a = 'x\'`, `a = "x"`, "a = 'x\ny'", "a = 1.5", "a = 1e3", "a = 9223372036854775808", "a = 1;", "a = 1 -- b", "a = 1 /* b */", "a + 1 = 2", "a <=> 1",
		"f(a) = 1", "a LIKE 'x'", "a::text = 'x'", "NOT", "(a = 1))", "and = 1", "a NOT IN (1)", "a = $1", "a = ?", "é = 1",
	} {
		if r, err := condition.Parse(text); err == nil {
			t.Errorf("%q is taken for %q", text, r)
		}
	}
}

// kinds are columns of each kind that a rule may speak of, two of each, with values
// that are near to each other.
var kinds = map[string]struct {
	columns map[string]string
	values  []any // as JSON would say them
	store   func(v any) any
	ops     string
}{
	"decimal": {map[string]string{dialect.Postgres: "numeric(19,4)", dialect.SQLite: "text"},
		[]any{"0", "-0.0001", "0.0001", "0.5", "-0.5", "-5", "5", "9", "9.5", "9.05", "10", "-10", "100.25", "999999999999999.9999", "999999999999999.9998", "-999999999999999.9999", "123456789012345.6"},
		func(v any) any { d, _ := scalar.ParseDecimal(v.(json.Number).String()); return d }, "= <> < <= > >="},
	"timestamp": {map[string]string{dialect.Postgres: "timestamptz", dialect.SQLite: "datetime"},
		[]any{"0001-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.49Z", "2026-01-01T00:00:01Z", "9999-12-31T23:59:59.999Z"},
		func(v any) any { at, _ := scalar.ParseTimestamp(v.(string)); return at }, "= <> < <= > >="},
	"date": {map[string]string{dialect.Postgres: "date", dialect.SQLite: "text"},
		[]any{"0001-01-01", "2026-01-31", "2026-02-01", "9999-12-31"}, func(v any) any { return v }, "= <> < <= > >="},
	"int": {map[string]string{dialect.Postgres: "bigint", dialect.SQLite: "integer"},
		[]any{"-9223372036854775808", "-1", "0", "9", "10", "9223372036854775807"}, func(v any) any { n, _ := v.(json.Number).Int64(); return n }, "= <> < <= > >="},
	"float": {map[string]string{dialect.Postgres: "double precision", dialect.SQLite: "real"},
		[]any{"-1e300", "-0.1", "0", "0.1", "9", "10", "1e300"}, func(v any) any { n, _ := v.(json.Number).Float64(); return n }, "= <> < <= > >="},
	"text": {map[string]string{dialect.Postgres: "character varying", dialect.SQLite: "text"},
		[]any{"", "a", "A", "a ", "é", "1", "01"}, func(v any) any { return v }, "= <>"},
	"bool": {map[string]string{dialect.Postgres: "boolean", dialect.SQLite: "bool"}, []any{true, false}, func(v any) any { return v }, "= <>"},
}

// What Broken says of a record, both databases say.
func TestBothDatabasesJudgeAlike(t *testing.T) {
	t.Parallel()
	for _, name := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dbtest.OpenURL(t, dbtest.EmptyURL(t, name))
			for kind, k := range kinds {
				run(t, db, fmt.Sprintf(`CREATE TABLE %s_values ("a" %s, "order" %[2]s, n integer)`, kind, k.columns[name]))
				var rules []condition.Rule
				for _, op := range strings.Fields(k.ops) {
					for _, form := range []string{"a %s order", "NOT a %s order OR a IS NULL", "a %s order AND order IS NOT NULL"} {
						rules = append(rules, parse(t, fmt.Sprintf(form, op)))
					}
				}
				literals := map[string]string{"decimal": "10", "int": "-1", "float": "9", "text": "'a'", "date": "'2026-01-31'", "bool": "true"}[kind]
				for _, op := range strings.Fields(k.ops) {
					if literals != "" {
						rules = append(rules, parse(t, "a "+op+" "+literals), parse(t, "order IN ("+literals+", "+literals+")"))
					}
				}
				for _, a := range append(k.values, nil) {
					for _, b := range append(k.values, nil) {
						judge(t, db, kind, k.store, rules, number(kind, a), number(kind, b))
					}
				}
			}
		})
	}
}

// judge puts a record into the table of its kind, and holds each rule against it.
func judge(t *testing.T, db *database.DB, kind string, store func(any) any, rules []condition.Rule, a, b any) {
	t.Helper()
	stored := func(v any) any {
		if v == nil {
			return nil
		}
		return store(v)
	}
	run(t, db, "DELETE FROM "+kind+"_values")
	run(t, db, "INSERT INTO "+kind+"_values VALUES ($1, $2, 1)", stored(a), stored(b))
	columns := make([]string, len(rules))
	for i, r := range rules {
		columns[i] = fmt.Sprintf("CASE WHEN %s THEN 'yes' WHEN NOT (%[1]s) THEN 'broken' ELSE 'unknown' END", r.SQL(db.Dialect(), func(string) string { return kind }))
	}
	verdicts, to := make([]string, len(rules)), make([]any, len(rules))
	for i := range to {
		to[i] = &verdicts[i]
	}
	if err := db.SQL().QueryRowContext(t.Context(), "SELECT "+strings.Join(columns, ", ")+" FROM "+kind+"_values").Scan(to...); err != nil {
		t.Fatal(err)
	}
	for i, r := range rules {
		if broken := r.Broken(func(column string) any { return map[string]any{"a": a, "order": b}[column] }); broken != (verdicts[i] == "broken") {
			t.Errorf("%s with a %v and order %v: broken is %t, the database says %s", r, a, b, broken, verdicts[i])
		}
	}
}

func number(kind string, v any) any {
	if s, ok := v.(string); ok && (kind == "decimal" || kind == "int" || kind == "float") {
		return json.Number(s)
	}
	return v
}

func parse(t *testing.T, text string) condition.Rule {
	t.Helper()
	r, err := condition.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func run(t *testing.T, db *database.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.SQL().ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// Forms of one value are the same.
func TestForms(t *testing.T) {
	for _, same := range [][2]any{
		{"2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000+01:00"}, {"P1D", "PT24H"}, {json.Number("1.50"), json.Number("15e-1")},
		{"0190163D-8694-739B-AEA5-966C26F8AD90", "0190163d-8694-739b-aea5-966c26f8ad90"}, {true, true},
	} {
		values := map[string]any{"a": same[0], "b": same[1]}
		if parse(t, "a = b").Broken(func(column string) any { return values[column] }) {
			t.Errorf("%v differs from %v", same[0], same[1])
		}
	}
	values := map[string]any{"a": "PT9H", "b": "PT10H"}
	if parse(t, "a < b").Broken(func(column string) any { return values[column] }) {
		t.Error("nine hours are no less than ten")
	}
}
