// Package counts is the SQL that keeps how many records of each resource a
// workspace has: the triggers, which add to the table record_counts in the
// transaction of each write, and what compares and mends the counts. The
// package migrate/diff puts the triggers into the migrations. Why there are
// slots, and triggers at all, is in docs/adr/0018.
package counts

import "fmt"

// Table holds the counts: for each workspace and table the sum of n is how many
// records there are.
const Table = "record_counts"

// Key are the columns of its primary key.
var Key = []string{"workspace_id", "resource", "slot"}

// MendedSlot is the slot of what no single write has counted: the records that
// were there before the triggers, what Mend has put right, and the far end of a
// statement that writes to very many workspaces. No API call waits for it.
const MendedSlot = -1

// Compare is a query for what is wrong with the counts of a table: workspace,
// how many records there are, and how many are counted. Both are read in the one
// snapshot of the statement.
func Compare(table string) string {
	return fmt.Sprintf(`SELECT workspace_id, sum(present), sum(counted)
FROM (%s) AS both_sides
GROUP BY workspace_id HAVING sum(present) <> sum(counted) ORDER BY workspace_id`, bothSides(table))
}

// Mend is the statement that makes the counts of a table right. It needs no lock
// against writers: it adds what was missing in its snapshot, and what they
// write meanwhile, the triggers count. Two at once would both add it.
func Mend(table string) string {
	return fmt.Sprintf(`INSERT INTO %s (workspace_id, resource, slot, n)
SELECT workspace_id, '%s', %d, sum(present) - sum(counted)
FROM (%s) AS both_sides
GROUP BY workspace_id HAVING sum(present) <> sum(counted)
ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = %[1]s.n + excluded.n`, Table, table, MendedSlot, bothSides(table))
}

func bothSides(table string) string {
	return fmt.Sprintf(`
  SELECT workspace_id, count(*) AS present, 0 AS counted FROM "%s" GROUP BY workspace_id
  UNION ALL SELECT workspace_id, 0, n FROM %s WHERE resource = '%[1]s'
`, table, Table)
}

// Forget is the statement that removes the counts of a table that is dropped.
func Forget(table string) string {
	return fmt.Sprintf("DELETE FROM %s WHERE resource = '%s'", Table, table)
}
