package doctor

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/dialect"

	"records/migrate"
	"records/migrate/counts"
)

// trigger is one as the migrations wrote it, or as the database has it; or a function
// that statements call, which has no table.
type trigger struct {
	table      string
	definition string // in words that compare
	function   string // what PostgreSQL runs, by name
	body       string // and the text of it
	off        bool
}

// triggersAreThere holds the triggers of the database against those of the migrations.
// It cannot mend them: why they are another way, the operator must know.
func triggersAreThere(ctx context.Context, c *contents) (faults []Fault, err error) {
	statements, err := migrate.Embedded.Statements(c.dialect)
	if err != nil {
		return nil, err
	}
	there := sqliteTriggers
	if c.dialect == dialect.Postgres {
		there = postgresTriggers
	}
	have, err := there(ctx, c.tx)
	if err != nil {
		return nil, err
	}
	want := written(statements)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		w := want[name]
		h, ok := have[name]
		fault := Fault{
			Check:  "triggers",
			Why:    triggerTask(name),
			Remedy: fmt.Sprintf("Make it again by the statement of the migrations that creates %s; then run `records doctor --repair`.", name),
		}
		switch {
		case !ok:
			fault.What = fmt.Sprintf("%s is missing.", w.title(name))
		case h.off:
			fault.What = fmt.Sprintf("%s is switched off.", w.title(name))
			fault.Remedy = fmt.Sprintf("Run ALTER TABLE %s ENABLE TRIGGER %s; then `records doctor --repair`.", w.table, name)
		case h.definition != w.definition || h.function != w.function || w.table == "" && h.body != w.body:
			fault.What = fmt.Sprintf("%s is another one than the migrations have written.", w.title(name))
		case h.body != w.body:
			fault.What = fmt.Sprintf("The function %s of the trigger %s of %s is another one than the migrations have written.", h.function, name, w.table)
		default:
			continue
		}
		faults = append(faults, fault)
	}
	return faults, nil
}

// rulesAreOurs looks for rules, by which PostgreSQL does another thing than a statement
// says.
func rulesAreOurs(ctx context.Context, c *contents) (faults []Fault, err error) {
	if c.dialect != dialect.Postgres {
		return nil, nil
	}
	statements, err := migrate.Embedded.Statements(c.dialect)
	if err != nil {
		return nil, err
	}
	made := func(name string) bool {
		return slices.ContainsFunc(statements, func(text string) bool {
			m := createsRule.FindStringSubmatch(text)
			return len(m) > 0 && m[1] == name
		})
	}
	err = eachRow(ctx, c.tx, `SELECT rulename, relname FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
		WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'p') AND ev_enabled <> 'D' ORDER BY 2, 1`, func(row *sql.Rows) error {
		var name, table string
		if err := row.Scan(&name, &table); err != nil || !isOurs(table) || made(name) {
			return err
		}
		faults = append(faults, Fault{
			Check:  "triggers",
			What:   fmt.Sprintf("The rule %s of %s is none of the migrations'.", name, table),
			Why:    "It has statements do something else, more or nothing: what is answered is then not what was done.",
			Remedy: fmt.Sprintf("Run DROP RULE %s ON %s; then `records doctor --repair`.", name, table),
		})
		return nil
	})
	return faults, err
}

func (t trigger) title(name string) string {
	if t.table == "" {
		return "The function " + name
	}
	return fmt.Sprintf("The trigger %s of %s", name, t.table)
}

// triggerTask is what goes wrong without a trigger of a name.
func triggerTask(name string) string {
	switch {
	case name == counts.SlotFunction:
		return "No record can be created or deleted."
	case strings.Contains(name, "_count_"):
		return "Lists will answer a wrong count."
	case strings.Contains(name, "_renew_generation"):
		return "Servers do not learn that a key was changed: one that is revoked goes on being served."
	case strings.Contains(name, "_clear_references"):
		return "A record that others refer to cannot be deleted."
	}
	return "What it does at each write is no longer done."
}

// quoted is a name as either database writes it.
const quoted = "[\"`]?([\\w\\pL$-]+)[\"`]?"

var (
	createsTrigger  = regexp.MustCompile(`(?s)^CREATE TRIGGER ` + quoted + ` .*? ON ` + quoted + `[ \n]`)
	executes        = regexp.MustCompile(`EXECUTE FUNCTION "?(\w+)"?\(\)`)
	createsRule     = regexp.MustCompile(`^CREATE (?:OR REPLACE )?RULE ` + quoted + ` `)
	dropsTrigger    = regexp.MustCompile(`^DROP TRIGGER (?:IF EXISTS )?` + quoted)
	dropsTable      = regexp.MustCompile(`^DROP TABLE (?:IF EXISTS )?` + quoted)
	createsFunction = regexp.MustCompile(`(?s)CREATE (?:OR REPLACE )?FUNCTION (?:%1\$I\.)?"?(\w+)"?\((.*?)AS \$\$(.*?)\$\$`)
	dropsFunction   = regexp.MustCompile(`^DROP FUNCTION (?:IF EXISTS )?"?(\w+)`)
)

// written are the triggers that the statements of the migrations leave behind, and the
// functions that statements call.
func written(statements []string) map[string]trigger {
	want, called, bodies := map[string]trigger{}, map[string]trigger{}, map[string]string{}
	for _, text := range statements {
		if m := createsTrigger.FindStringSubmatch(text); m != nil {
			t := trigger{table: m[2], definition: words(text)}
			if f := executes.FindStringSubmatch(text); f != nil {
				t.function = f[1]
			}
			want[m[1]] = t
		} else if m := dropsTrigger.FindStringSubmatch(text); m != nil {
			delete(want, m[1])
		} else if m := dropsTable.FindStringSubmatch(text); m != nil {
			maps.DeleteFunc(want, func(_ string, t trigger) bool { return t.table == m[1] })
		} else if m := createsFunction.FindStringSubmatch(text); m != nil {
			bodies[m[1]] = words(m[3])
			if !strings.Contains(strings.ToLower(m[2]), "returns trigger") {
				called[m[1]] = trigger{function: m[1], body: bodies[m[1]]}
			}
		} else if m := dropsFunction.FindStringSubmatch(text); m != nil {
			delete(called, m[1])
		}
	}
	for name, t := range want {
		t.body = bodies[t.function]
		want[name] = t
	}
	maps.Copy(want, called)
	return want
}

var separators = strings.NewReplacer("%1$I.", "", `"`, "", "`", "", "(", " ", ")", " ", ",", " ", ";", " ", "public.", "")

// words are those of a statement in alphabetical order: PostgreSQL tells the events of
// a trigger in an order of its own.
func words(text string) string {
	return strings.Join(slices.Sorted(slices.Values(strings.Fields(separators.Replace(text)))), " ")
}

func sqliteTriggers(ctx context.Context, tx *sql.Tx) (map[string]trigger, error) {
	return readTriggers(ctx, tx, "SELECT name, tbl_name, sql, '', '', false FROM sqlite_schema WHERE type = 'trigger'")
}

func postgresTriggers(ctx context.Context, tx *sql.Tx) (map[string]trigger, error) {
	return readTriggers(ctx, tx, `SELECT t.tgname, c.relname, replace(pg_get_triggerdef(t.oid), quote_ident(current_schema()) || '.', ''),
			p.proname, replace(p.prosrc, quote_ident(current_schema()) || '.', ''), t.tgenabled NOT IN ('O', 'A')
		FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
		WHERE NOT t.tgisinternal AND c.relnamespace = quote_ident(current_schema())::regnamespace
		UNION ALL SELECT proname, '', '', proname, prosrc, false
		FROM pg_proc WHERE prorettype <> 'trigger'::regtype AND pronamespace = quote_ident(current_schema())::regnamespace`)
}

func readTriggers(ctx context.Context, tx *sql.Tx, query string) (map[string]trigger, error) {
	have := map[string]trigger{}
	err := eachRow(ctx, tx, query, func(row *sql.Rows) error {
		var name, definition, body string
		var t trigger
		err := row.Scan(&name, &t.table, &definition, &t.function, &body, &t.off)
		t.definition, t.body = words(definition), words(body)
		have[name] = t
		return err
	})
	return have, err
}
