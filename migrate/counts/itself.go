package counts

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// itself begins a statement that writes its own count, and the table follows: the
// function of PostgreSQL's triggers leaves it alone.
const itself = "/* counts itself in "

// The statements that write a single record, as Ent makes them, to the letter.
var (
	insertsOne = regexp.MustCompile(`^INSERT INTO "(\w+)" \((.+)\) VALUES \((\$\d+(?:, \$\d+)*)\)$`)
	deletesOne = regexp.MustCompile(`^DELETE FROM "(\w+)" WHERE \("\w+"\."(id|workspace_id)" = \$1\) AND \("\w+"\."(id|workspace_id)" = \$2\)$`)
)

// Itself makes a statement of PostgreSQL that inserts or deletes a single record of a
// counted table write its count as well, which takes a third of what the trigger takes.
// Its parameters and the number of rows that it tells stay the same. Any other
// statement is returned as it is, and the triggers count what it does.
func Itself(query string, tables []string) string {
	if m := insertsOne.FindStringSubmatch(query); len(m) == 4 && slices.Contains(tables, m[1]) {
		columns, values := strings.Split(m[2], ", "), strings.Split(m[3], ", ")
		if i := slices.Index(columns, `"workspace_id"`); i >= 0 && len(columns) == len(values) {
			return fmt.Sprintf("%s%s */ WITH %s %s", itself, m[1], counted("VALUES ("+row(m[1], values[i]+"::uuid", slot(m[1], values[i]+"::uuid"), 1)+")"), query)
		}
	}
	if m := deletesOne.FindStringSubmatch(query); len(m) == 4 && slices.Contains(tables, m[1]) && m[2] != m[3] {
		return fmt.Sprintf("%s%s */ WITH gone AS (%s RETURNING workspace_id, %s AS slot), %s SELECT FROM gone",
			itself, m[1], query, slot(m[1], "workspace_id"), counted("SELECT "+row(m[1], "workspace_id", "slot", -1)+" FROM gone"))
	}
	return query
}

// counted is the part of a statement that adds rows to the counts.
func counted(rows string) string {
	return fmt.Sprintf("counted AS (INSERT INTO %s AS kept (workspace_id, resource, slot, n) %s %s)", Table, rows, adding)
}

// adding is what becomes of a count that is there already.
const adding = "ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = kept.n + excluded.n"

// row is what is added.
func row(table, workspace, slot string, n int) string {
	return fmt.Sprintf("%s, '%s', %s, %d", workspace, table, slot, n)
}

// slot is the one that the function finds, which is not called for the first two. A
// SELECT that chooses it costs PostgreSQL a node more than a RETURNING does.
func slot(table, workspace string) string {
	key, second := fmt.Sprintf("hashtext('%s' || %s)", table, workspace), fmt.Sprintf("1 + mod(pg_backend_pid(), %d)", slots)
	return fmt.Sprintf("CASE WHEN pg_try_advisory_xact_lock(%[1]s, 0) THEN 0 WHEN pg_try_advisory_xact_lock(%[1]s, %[2]s) THEN %[2]s ELSE %[3]s(%[1]s) END",
		key, second, SlotFunction)
}
