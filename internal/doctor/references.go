package doctor

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql/schema"

	declared "records/ent/migrate"
	"records/ent/rule"
)

// mostExamples is how many faulty workspaces of a table are told: of one that is
// wrong everywhere, more say nothing new.
const mostExamples = 20

// reference is a column that names a row of another table.
type reference struct {
	table, column, to string
	within            bool // both are of a workspace, and must be of the same one
	owned             bool // the referring row is of a workspace
	onDelete          schema.ReferenceOption
}

// referencesOf are those of a table, from the schemas.
func referencesOf(t *schema.Table) (all []reference) {
	for _, fk := range t.ForeignKeys {
		r := reference{table: t.Name, column: fk.Columns[0].Name, to: fk.RefTable.Name, owned: isOwned(t), onDelete: fk.OnDelete}
		r.within = r.owned && isOwned(fk.RefTable)
		all = append(all, r)
	}
	return all
}

func isOwned(t *schema.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c *schema.Column) bool { return c.Name == rule.WorkspaceField })
}

// referencesHold looks whether all that a row names is there, and of its own workspace:
// records, keys, members and whatever else the schemas declare. The keys of the database
// see to that, unless they were off for a while. It is not mended: what a row should
// have named, nobody here knows.
func referencesHold(ctx context.Context, c *contents) (faults []Fault, err error) {
	for _, t := range declared.Tables {
		all := slices.DeleteFunc(referencesOf(t), func(r reference) bool { return c.unseen[r.table] || c.unseen[r.to] })
		if len(all) == 0 {
			continue
		}
		found, err := dangling(ctx, c.tx, all)
		if err != nil {
			return nil, fmt.Errorf("looking at what %s refer to: %w", t.Name, err)
		}
		faults = append(faults, found...)
	}
	return faults, nil
}

// dangling reads a table once for all its references, in the database: of each workspace
// and column one row comes back, if any.
func dangling(ctx context.Context, tx *sql.Tx, all []reference) (faults []Fault, err error) {
	parts := make([]string, len(all))
	for i, r := range all {
		parts[i] = r.query(i)
	}
	query := fmt.Sprintf("%s ORDER BY 1, 2 LIMIT %d", strings.Join(parts, "\nUNION ALL "), mostExamples)
	err = eachRow(ctx, tx, query, func(row *sql.Rows) error {
		var which, n int
		var workspace, example string
		if err := row.Scan(&which, &workspace, &n, &example); err != nil {
			return err
		}
		faults = append(faults, all[which].fault(workspace, n, example))
		return nil
	})
	return faults, err
}

// query counts the rows that name nothing, in each workspace, with what one of them names.
func (r reference) query(i int) string {
	workspace, group, same := "''", "", ""
	if r.owned {
		workspace, group = "CAST(r.workspace_id AS varchar)", " GROUP BY r.workspace_id"
	}
	if r.within {
		same = " AND p.workspace_id = r.workspace_id"
	}
	return fmt.Sprintf(`SELECT %d, %s, count(*), min(CAST(r."%s" AS varchar)) FROM "%s" AS r
		WHERE r."%[3]s" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "%[5]s" AS p WHERE p.id = r."%[3]s"%[6]s)%[7]s HAVING count(*) > 0`,
		i, workspace, r.column, r.table, r.to, same, group)
}

func (r reference) fault(workspace string, n int, example string) Fault {
	where, remedy := r.table, fmt.Sprintf("Set %s to what it should be, or to null where it may be, or delete the rows; and see that the keys of the database are on.", r.column)
	if r.owned && r.column != rule.WorkspaceField {
		where = "Workspace " + workspace + ", " + where
	}
	of := "that is not there"
	if r.within {
		of = "that its workspace does not have"
	}
	if r.table == "api_keys" && r.column == rule.WorkspaceField {
		remedy = "Delete the key; and see that the keys of the database are on."
	}
	return Fault{
		Check:  "references",
		What:   fmt.Sprintf("%s: %d rows have a %s %s in %s, such as %s.", where, n, r.column, of, r.to, example),
		Why:    "Clients get ids that lead nowhere, or that show what another workspace has; pages that join the two fail.",
		Remedy: remedy,
	}
}
