package doctor

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"

	declared "records/ent/migrate"
	entrest "records/ent/rest"
	"records/ent/rule"
)

// foreignKey is one that the database has.
type foreignKey struct {
	table, to string
	columns   []string
	off       string // why it keeps nothing out; "" if it does
	onDelete  string // what becomes of the row when what it names is deleted
	onUpdate  string // and when that gets another id
}

// constraintsAreThere looks whether the keys of the database are there that keep a
// reference in its workspace, and are on.
func constraintsAreThere(ctx context.Context, c *contents) (faults []Fault, err error) {
	query := `SELECT m.name, f."table", group_concat(f."from"), '', f.on_delete, f.on_update FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' GROUP BY m.name, f.id, f."table", f.on_delete, f.on_update`
	if c.dialect == dialect.Postgres {
		query = `SELECT t.relname, o.relname,
				(SELECT string_agg(a.attname, ',') FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)),
				CASE WHEN NOT c.convalidated THEN 'is not validated'
					WHEN EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgconstraint = c.oid AND g.tgenabled NOT IN ('O', 'A')) THEN 'is switched off'
					WHEN c.condeferrable THEN 'is DEFERRABLE' ELSE '' END,
				` + action("c.confdeltype") + ` || coalesce((SELECT ' (' || string_agg(a.attname, ',') || ')' FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.confdelsetcols)), ''),
				` + action("c.confupdtype") + `
			FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class o ON o.oid = c.confrelid WHERE c.contype = 'f' AND c.connamespace = quote_ident(current_schema())::regnamespace`
	}
	have, err := readForeignKeys(ctx, c.tx, query)
	if err != nil {
		return nil, err
	}
	for _, t := range declared.Tables {
		for _, r := range referencesOf(t) {
			if state := r.kept(have, c.dialect); state != "" {
				faults = append(faults, Fault{
					Check:  "constraints",
					What:   fmt.Sprintf("The foreign key of %s.%s to %s %s.", r.table, r.column, r.to, state),
					Why:    "It is what keeps a reference in its workspace if the program has a fault, refuses what is not there, and says what becomes of a row when what it names is deleted.",
					Remedy: "Switch it on, or drop what is left of it and make it again by the statement of the migrations (ALTER TABLE … ENABLE TRIGGER ALL, VALIDATE CONSTRAINT), and run this command again.",
				})
			}
		}
	}
	return faults, nil
}

// action is what PostgreSQL does by a letter of pg_constraint, in words.
func action(letter string) string {
	return "CASE " + letter + " WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'SET DEFAULT' END"
}

// kept returns why no foreign key keeps a reference, "" if one does. That between two
// records must hold the workspace, too.
func (r reference) kept(have []foreignKey, dialectName string) string {
	state := "is missing"
	for _, k := range have {
		if k.table != r.table || k.to != r.to || !slices.Contains(k.columns, r.column) {
			continue
		}
		if r.within && isResource(r.table) && !slices.Contains(k.columns, rule.WorkspaceField) {
			state = "does not hold the workspace"
			continue
		}
		if k.off != "" {
			return k.off
		}
		if want := r.cleared(dialectName); k.onDelete != want {
			return fmt.Sprintf("has ON DELETE %s, and not %s", k.onDelete, want)
		}
		if want := string(schema.NoAction); k.onUpdate != want { // ids do not change
			return fmt.Sprintf("has ON UPDATE %s, and not %s", k.onUpdate, want)
		}
		return ""
	}
	return state
}

// cleared returns what the migrations say of a reference whose row is deleted. That
// between two records has two columns, of which one becomes null: SQLite needs a trigger
// for it.
func (r reference) cleared(dialectName string) string {
	if !r.within || !isResource(r.table) || r.onDelete != schema.SetNull {
		return string(r.onDelete)
	}
	if dialectName == dialect.Postgres {
		return fmt.Sprintf("SET NULL (%s)", r.column)
	}
	return string(schema.NoAction)
}

func isResource(table string) bool { return slices.Contains(entrest.Resources(nil).Tables(), table) }

func readForeignKeys(ctx context.Context, tx *sql.Tx, query string) (all []foreignKey, err error) {
	err = eachRow(ctx, tx, query, func(row *sql.Rows) error {
		var k foreignKey
		var columns string
		err := row.Scan(&k.table, &k.to, &columns, &k.off, &k.onDelete, &k.onUpdate)
		k.columns = strings.Split(columns, ",")
		all = append(all, k)
		return err
	})
	return all, err
}
