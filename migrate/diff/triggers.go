package diff

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"

	"records/migrate/counts"
)

// trigger is what a database does by itself when rows of a table change, or the
// function that it calls to do so, which has no table.
type trigger struct {
	table  string
	counts bool   // it keeps the counts of the table
	text   string // the statement that makes it
}

// wantedTriggers returns, by name, the triggers that a database is to have: those
// that count the records of each table, and on SQLite those that clear what refers
// to a record that is deleted; and those of the keys.
func wantedTriggers(dialectName string, tables []*schema.Table, records []string) map[string]trigger {
	wanted, of := keyTriggers(dialectName), counts.SQLiteTriggers
	if dialectName == dialect.Postgres {
		of = counts.PostgresTriggers
		for name, text := range counts.PostgresFunctions() {
			wanted[name] = trigger{text: text}
		}
	} else {
		addClearing(wanted, tables)
	}
	for _, table := range records {
		for name, text := range of(table, short) {
			wanted[name] = trigger{table, true, text}
		}
	}
	return wanted
}

// addClearing adds the triggers that set to null, before a record is deleted, what
// refers to it, in the same statement.
func addClearing(wanted map[string]trigger, tables []*schema.Table) {
	updates := map[string][]string{}
	byName := slices.SortedFunc(slices.Values(tables), func(a, b *schema.Table) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range byName {
		for _, fk := range t.ForeignKeys {
			if len(fk.Columns) != 2 { // to the workspace itself
				continue
			}
			others := "" // of a table that refers to itself: all but the row that goes
			if fk.RefTable.Name == t.Name {
				others = " AND `id` <> OLD.`id`"
			}
			updates[fk.RefTable.Name] = append(updates[fk.RefTable.Name], fmt.Sprintf(
				"  UPDATE `%s` SET `%[2]s` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `%[2]s` = OLD.`id`%[3]s;\n",
				t.Name, fk.Columns[1].Name, others))
		}
	}
	for table, statements := range updates {
		name := table + "_clear_references"
		wanted[name] = trigger{table, false, fmt.Sprintf("CREATE TRIGGER `%s` BEFORE DELETE ON `%s` FOR EACH ROW BEGIN\n%sEND", name, table, strings.Join(statements, ""))}
	}
}

// inOrder are the names of triggers, the functions that others call first.
func inOrder(triggers map[string]trigger) []string {
	return slices.SortedFunc(maps.Keys(triggers), func(a, b string) int {
		return strings.Compare(triggers[a].table+" "+a, triggers[b].table+" "+b)
	})
}

// presentTriggers are the triggers of a database in its own spelling, by name. On
// PostgreSQL they are those that call our functions, and these; others are not ours.
func (r *replica) presentTriggers(ctx context.Context) (map[string]trigger, error) {
	query := "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'"
	if r.db.Dialect() == dialect.Postgres {
		query = fmt.Sprintf(`WITH ours AS (SELECT oid, proname FROM pg_proc WHERE proname IN ('%s', '%s', '%s') AND pronamespace = quote_ident(current_schema())::regnamespace)
			SELECT '', proname, pg_get_functiondef(oid) FROM ours
			UNION ALL SELECT c.relname, tgname, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE tgfoid IN (SELECT oid FROM ours)`,
			counts.Function, counts.SlotFunction, renewKeys)
	}
	rows, err := r.db.SQL().QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return scanTriggers(rows)
}

func scanTriggers(rows *sql.Rows) (map[string]trigger, error) {
	defer rows.Close()
	present := map[string]trigger{}
	for rows.Next() {
		var name string
		var t trigger
		if err := rows.Scan(&t.table, &name, &t.text); err != nil {
			return nil, err
		}
		present[name] = t
	}
	return present, rows.Err()
}

// triggers makes the triggers what they are to be, after all else: a table that
// was copied has lost its own, and a renamed column has changed their text. Where
// some were missing before, the records that are there are counted.
func (p *plan) triggers(ctx context.Context) error {
	present, err := p.presentTriggers(ctx)
	if err != nil {
		return err
	}
	var changes []statement
	for _, name := range inOrder(present) {
		if _, wanted := p.wanted[name]; !wanted || p.db.Dialect() == dialect.SQLite && present[name].text != p.spelled[name].text {
			changes = append(changes, p.dropTrigger(name, present[name].table))
			p.alters(present[name].table, changes)
		}
	}
	for _, name := range inOrder(p.wanted) {
		if present[name].text != p.spelled[name].text {
			changes = append(changes, newStatement("", p.madeAnew(name, present)))
			p.alters(p.wanted[name].table, changes)
		}
	}
	if len(p.first) == 0 && len(changes) > 0 {
		p.words.say("triggers", "written anew")
	}
	p.place(changes)
	uncounted := p.uncounted()
	p.fill = append(p.fill, uncounted...)
	return p.try(ctx, slices.Concat(changes, uncounted))
}

// alters says of the last of the statements which table it alters, if that was there.
func (p *plan) alters(table string, statements []statement) {
	if p.there[table] {
		altering(table, statements[len(statements)-1:])
	}
}

// place puts statements about triggers into the plan: on PostgreSQL those of new tables
// behind these, for the others lock a table.
func (p *plan) place(changes []statement) {
	for _, s := range changes {
		if p.db.Dialect() == dialect.Postgres && s.alters == "" {
			p.first = slices.Insert(p.first, p.created, s)
			p.created++
		} else {
			p.first = append(p.first, s)
		}
	}
}

// madeAnew is the statement that makes a trigger. PostgreSQL can put one in the
// place of another that is there.
func (p *plan) madeAnew(name string, present map[string]trigger) string {
	if _, there := present[name]; there && p.db.Dialect() == dialect.Postgres {
		return strings.Replace(p.wanted[name].text, "CREATE ", "CREATE OR REPLACE ", 1)
	}
	return p.wanted[name].text
}

// uncounted are the statements that count the records of tables whose triggers were
// not there, or others, before the plan.
func (p *plan) uncounted() (mend []statement) {
	tables := map[string]bool{}
	for name, t := range p.wanted {
		tables[t.table] = tables[t.table] || t.counts && p.before[name].text != p.spelled[name].text && p.there[t.table]
	}
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		if tables[table] {
			p.words.say(table, "its records are counted")
			mend = append(mend, newStatement(fmt.Sprintf("count what is in %q already", table), counts.Mend(table)))
		}
	}
	return mend
}

// dropTrigger is the statement that removes a trigger, for good or until it is
// made again.
func (p *plan) dropTrigger(name, table string) statement {
	if p.db.Dialect() == dialect.Postgres {
		return newStatement("", "DROP TRIGGER "+p.ident(name)+" ON "+p.ident(table))
	}
	return newStatement("", "DROP TRIGGER "+p.ident(name))
}
