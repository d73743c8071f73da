package rule_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"github.com/google/uuid"

	"records/ent/migrate"
	entrest "records/ent/rest"
	"records/ent/rule"
	"records/internal/database"
)

// references runs f for every reference of every resource: the table and the
// column that refer, and the table referred to.
func references(t *testing.T, f func(table, column, target string)) {
	t.Helper()
	all, n := entrest.Resources(nil), 0
	for _, r := range all {
		for _, field := range r.Fields() {
			if target, ok := all.Find(field.Reference); ok {
				f(r.Spec().Table, field.Name, target.Spec().Table)
				n++
			}
		}
	}
	if n == 0 {
		t.Error("no resource has a reference")
	}
}

// The database itself refuses a reference to another workspace's record, in an
// insert and in an update, whoever writes it, as it refuses one to no record.
func TestDatabaseRefusesForeignReference(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		before := w.dump(t, w.a.id)
		// Where nothing is there yet, no unique index refuses first.
		empty := w.client.Workspace.Create().SetName("c").SaveX(rule.AsOperator(t.Context())).ID
		w.unchanged(t, func() {
			references(t, func(table, column, target string) {
				foreign := w.rows(t, fmt.Sprintf("SELECT id FROM %s WHERE workspace_id = '%s'", target, w.b.id))[0][0]
				own := w.rows(t, fmt.Sprintf("SELECT id FROM %s WHERE workspace_id = '%s'", table, w.a.id))[0][0]
				for _, id := range []string{foreign, uuid.NewString()} {
					refused(t, w, fmt.Sprintf("UPDATE %s SET %q = '%s' WHERE id = '%s'", table, column, id, own))
					refused(t, w, copyRow(w, table, own, map[string]string{"workspace_id": empty.String(), "id": uuid.NewString(), column: id}))
				}
				// A whole record of b, its references with it, cannot be moved.
				referring := w.rows(t, fmt.Sprintf("SELECT id FROM %s WHERE workspace_id = '%s' AND %q IS NOT NULL", table, w.b.id, column))
				refused(t, w, fmt.Sprintf("UPDATE %s SET workspace_id = '%s' WHERE id = '%s'", table, empty, referring[0][0]))
			})
		})
		if w.dump(t, w.a.id) != before {
			t.Error("a refused statement left something behind")
		}
	})
}

func refused(t *testing.T, w world, statement string) {
	t.Helper()
	if _, err := w.db.SQL().ExecContext(t.Context(), statement); !database.IsForeignKeyViolation(err) {
		t.Errorf("%s: %v, want a violation of a foreign key", statement, err)
	}
}

// copyRow is the INSERT of a copy of a row with some columns changed, and no other
// reference than is among these.
func copyRow(w world, table, id string, changed map[string]string) string {
	of := migrate.Tables[slices.IndexFunc(migrate.Tables, func(of *schema.Table) bool { return of.Name == table })]
	var columns, values []string
	for _, c := range of.Columns {
		name := fmt.Sprintf("%q", c.Name)
		value, given := changed[c.Name]
		switch refers := slices.ContainsFunc(of.ForeignKeys, func(fk *schema.ForeignKey) bool { return slices.Contains(fk.Columns, c) }); {
		case given && w.db.Dialect() == dialect.Postgres:
			columns, values = append(columns, name), append(values, "'"+value+"'::uuid")
		case given:
			columns, values = append(columns, name), append(values, "'"+value+"'")
		case !refers:
			columns, values = append(columns, name), append(values, name)
		}
	}
	return fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %[1]s WHERE id = '%[4]s'",
		table, strings.Join(columns, ", "), strings.Join(values, ", "), id)
}

// Every record's primary key begins with the workspace, every reference is by
// it, and every unique index has it.
func TestEveryKeyHasTheWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for _, r := range entrest.Resources(nil) {
			table := r.Spec().Table
			if got, want := primaryKey(t, w, table), "workspace_id id"; got != want {
				t.Errorf("the primary key of %s is (%s), want (%s)", table, got, want)
			}
			for _, columns := range uniqueIndexes(t, w, table) {
				if !slices.Contains(strings.Fields(columns), "workspace_id") {
					t.Errorf("%s has a unique index on (%s)", table, columns)
				}
			}
		}
		references(t, func(table, column, target string) {
			var targets []string
			for _, key := range foreignKeys(t, w, table) {
				if slices.Contains(key.columns, column) {
					targets = append(targets, key.String())
				}
			}
			want := fmt.Sprintf("(workspace_id %s) to %s (workspace_id id), on delete %s", column, target,
				map[string]string{dialect.Postgres: "SET NULL (" + column + ")", dialect.SQLite: "NO ACTION"}[w.db.Dialect()])
			if len(targets) != 1 || targets[0] != want {
				t.Errorf("%s.%s has the keys %q, want %q", table, column, targets, want)
			}
		})
	})
}

type foreignKey struct {
	columns, refers []string
	target, action  string
}

func (k foreignKey) String() string {
	return fmt.Sprintf("(%s) to %s (%s), on delete %s", strings.Join(k.columns, " "), k.target, strings.Join(k.refers, " "), k.action)
}

var definition = regexp.MustCompile(`^FOREIGN KEY \((.+?)\) REFERENCES (\S+?)\((.+?)\)(?: ON DELETE (.+))?$`)

// foreignKeys reads the keys of a table from the database's catalogue.
func foreignKeys(t *testing.T, w world, table string) (keys []foreignKey) {
	t.Helper()
	if w.db.Dialect() == dialect.Postgres {
		for _, row := range w.rows(t, "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f' AND conrelid = '"+table+"'::regclass") {
			m := definition.FindStringSubmatch(row[0])
			if m == nil {
				t.Fatalf("not understood: %s", row[0])
			}
			keys = append(keys, foreignKey{strings.Split(m[1], ", "), strings.Split(m[3], ", "), m[2], m[4]})
		}
		return keys
	}
	byID := map[string]*foreignKey{}
	for _, row := range w.rows(t, "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list('"+table+"') ORDER BY id, seq") {
		k := byID[row[0]]
		if k == nil {
			k = &foreignKey{target: row[1], action: row[4]}
			byID[row[0]] = k
		}
		k.columns, k.refers = append(k.columns, row[2]), append(k.refers, row[3])
	}
	for _, k := range byID {
		keys = append(keys, *k)
	}
	return keys
}

func primaryKey(t *testing.T, w world, table string) string {
	t.Helper()
	query := "SELECT name FROM pragma_table_info('" + table + "') WHERE pk > 0 ORDER BY pk"
	if w.db.Dialect() == dialect.Postgres {
		query = "SELECT a.attname FROM pg_index i, unnest(i.indkey) WITH ORDINALITY k(n, o), pg_attribute a" +
			" WHERE i.indisprimary AND i.indrelid = '" + table + "'::regclass AND a.attrelid = i.indrelid AND a.attnum = k.n ORDER BY k.o"
	}
	return joined(w.rows(t, query))
}

// uniqueIndexes are the columns of each unique index, separated by spaces.
func uniqueIndexes(t *testing.T, w world, table string) (all []string) {
	t.Helper()
	if w.db.Dialect() == dialect.Postgres {
		for _, row := range w.rows(t, "SELECT string_agg(a.attname, ' ') FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indexrelid"+
			" WHERE i.indisunique AND i.indrelid = '"+table+"'::regclass GROUP BY i.indexrelid") {
			all = append(all, row[0])
		}
		return all
	}
	for _, row := range w.rows(t, "SELECT name FROM pragma_index_list('"+table+"') WHERE \"unique\" = 1") {
		all = append(all, joined(w.rows(t, "SELECT name FROM pragma_index_info('"+row[0]+"')")))
	}
	return all
}

func joined(rows [][]string) string {
	var all []string
	for _, row := range rows {
		all = append(all, row[0])
	}
	return strings.Join(all, " ")
}
