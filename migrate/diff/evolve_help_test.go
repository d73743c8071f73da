package diff_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
	"github.com/pressly/goose/v3"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate"
	"records/migrate/diff"
)

// lab is a database of each dialect with the records of two workspaces in it,
// and a copy of its migrations.
type lab struct {
	declaration diff.Declaration
	dbs         map[string]*database.DB
	folders     map[string]string
	targets     []diff.Target
	kinds       map[string]string // as a file beside the migrations would say
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{declaration: declaration(t), kinds: kinds(t), dbs: map[string]*database.DB{}, folders: map[string]string{}}
	for _, d := range []string{dialect.Postgres, dialect.SQLite} {
		l.dbs[d], l.folders[d] = dbtest.Open(t, d), folderOf(t, d)
		l.targets = append(l.targets, diff.Target{Dev: dbtest.OpenURL(t, dbtest.EmptyURL(t, d)), Folder: l.folders[d]})
		fill(t, l.dbs[d])
		fill(t, l.dbs[d])
	}
	return l
}

// declaration is a copy of what the program declares, to be changed.
func declaration(t *testing.T) diff.Declaration {
	t.Helper()
	d, err := diff.Declared()
	if err != nil {
		t.Fatal(err)
	}
	if d.Tables, err = schema.CopyTables(d.Tables); err != nil {
		t.Fatal(err)
	}
	d.Records, d.Kinds = slices.Clone(d.Records), maps.Clone(d.Kinds)
	d.Renames, d.Backfills = map[string]string{}, map[string]any{}
	return d
}

// write writes what is missing, for both dialects at once.
func (l *lab) write(t *testing.T, reason string) ([]diff.Report, error) {
	t.Helper()
	r := request(l.declaration, reason)
	r.Kinds = l.kinds
	reports, err := diff.Write(t.Context(), r, l.targets...)
	if err == nil {
		l.kinds = maps.Clone(l.declaration.Kinds)
	}
	return reports, err
}

// kinds are what the columns hold by the program's migrations.
func kinds(t *testing.T) map[string]string {
	t.Helper()
	kinds, err := diff.ReadKinds("..")
	if err != nil {
		t.Fatal(err)
	}
	return kinds
}

// evolve writes the migrations that the declaration wants after the changes, and
// runs them. What it
// says of a dialect comes with the text of that dialect's files.
func (l *lab) evolve(t *testing.T, reason string, changes ...func(*diff.Declaration)) (says, texts map[string]string) {
	t.Helper()
	for _, change := range changes {
		change(&l.declaration)
	}
	reports, err := l.write(t, reason)
	if err != nil {
		t.Fatal(err)
	}
	says, texts = map[string]string{}, map[string]string{}
	for _, r := range reports {
		says[r.Dialect], texts[r.Dialect] = ofKnown(r.Changes), textOf(t, r.Files)
		l.up(t, r.Dialect)
	}
	return says, texts
}

// up applies what is pending as the program does: on SQLite without foreign
// keys, which are checked afterwards.
func (l *lab) up(t *testing.T, d string) {
	t.Helper()
	db, gooseDialect := l.dbs[d], goose.DialectPostgres
	if d == dialect.SQLite {
		gooseDialect = goose.DialectSQLite3
		run(t, db, "PRAGMA foreign_keys = off")
		defer run(t, db, "PRAGMA foreign_keys = on")
	}
	provider, err := goose.NewProvider(gooseDialect, db.SQL(), os.DirFS(l.folders[d]), goose.WithTableName(migrate.Table), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.Up(t.Context()); err != nil {
		t.Fatalf("%s: %v", d, err)
	}
	if d == dialect.SQLite && count(t, db, "pragma_foreign_key_check") != 0 {
		t.Error("sqlite: a foreign key is violated")
	}
}

// dump is what a table has in the columns, row by row in the order of the ids.
func dump(t *testing.T, db *database.DB, table string, columns []string) []string {
	t.Helper()
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = `CAST("` + c + `" AS text)`
	}
	rows, err := db.SQL().QueryContext(t.Context(), fmt.Sprintf(`SELECT %s FROM %s ORDER BY id`, strings.Join(quoted, ", "), table))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		cells := make([]*string, len(columns))
		to := make([]any, len(columns))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		row := ""
		for _, c := range cells {
			if c == nil {
				row += "|null"
			} else {
				row += "|" + *c
			}
		}
		all = append(all, row)
	}
	return all
}

func table(d *diff.Declaration, name string) *schema.Table {
	i := slices.IndexFunc(d.Tables, func(t *schema.Table) bool { return t.Name == name })
	return d.Tables[i]
}

func columnOf(d *diff.Declaration, name string) *schema.Column {
	tableName, columnName, _ := strings.Cut(name, ".")
	c, _ := table(d, tableName).Column(columnName)
	return c
}

// addColumn adds a column as Ent does, and returns it.
func addColumn(d *diff.Declaration, tableName string, c schema.Column) *schema.Column {
	t := table(d, tableName)
	t.Columns = append(t.Columns, &c)
	return &c
}

// checks gives tasks these rules, each a name and a text.
func checks(d *diff.Declaration, rules ...string) {
	t := table(d, "tasks")
	t.Annotation = &entsql.Annotation{Checks: map[string]string{}}
	for i := 0; i < len(rules); i += 2 {
		t.Annotation.Checks[rules[i]] = rules[i+1]
	}
}

func dropColumn(d *diff.Declaration, name string) {
	tableName, columnName, _ := strings.Cut(name, ".")
	t := table(d, tableName)
	t.Columns = slices.DeleteFunc(t.Columns, func(c *schema.Column) bool { return c.Name == columnName })
	t.ForeignKeys = slices.DeleteFunc(t.ForeignKeys, func(fk *schema.ForeignKey) bool { return fk.Columns[0].Name == columnName })
	t.Indexes = slices.DeleteFunc(t.Indexes, func(i *schema.Index) bool {
		return slices.ContainsFunc(i.Columns, func(c *schema.Column) bool { return c.Name == columnName })
	})
}

// refer adds a reference to another table, its column included, as Ent does.
func refer(d *diff.Declaration, tableName, columnName, target string) {
	c := addColumn(d, tableName, schema.Column{Name: columnName, Type: field.TypeUUID, Nullable: true})
	referFrom(d, tableName, c, target)
}

func referFrom(d *diff.Declaration, tableName string, c *schema.Column, target string) {
	t, to := table(d, tableName), table(d, target)
	id, _ := to.Column("id")
	t.ForeignKeys = append(t.ForeignKeys, &schema.ForeignKey{
		Symbol:  tableName + "_" + target + "_" + strings.TrimSuffix(c.Name, "_id"),
		Columns: []*schema.Column{c}, RefColumns: []*schema.Column{id}, RefTable: to, OnDelete: schema.SetNull,
	})
}

// addTable adds the table of a record.
func addTable(d *diff.Declaration, name string, columns ...*schema.Column) {
	id := &schema.Column{Name: "id", Type: field.TypeUUID}
	t := &schema.Table{Name: name, PrimaryKey: []*schema.Column{id}}
	t.Columns = append([]*schema.Column{id, {Name: "created_at", Type: field.TypeTime}, {Name: "updated_at", Type: field.TypeTime}}, columns...)
	workspace := &schema.Column{Name: "workspace_id", Type: field.TypeUUID}
	t.Columns = append(t.Columns, workspace)
	workspaces := table(d, "workspaces")
	workspaceID, _ := workspaces.Column("id")
	t.ForeignKeys = []*schema.ForeignKey{{
		Symbol: name + "_workspaces_workspace", Columns: []*schema.Column{workspace}, RefColumns: []*schema.Column{workspaceID},
		RefTable: workspaces, OnDelete: schema.NoAction,
	}}
	d.Tables, d.Records = append(d.Tables, t), append(d.Records, name)
}

// known are the tables that these tests speak of. A program that has more is held
// to the same, but for what is said of those.
var known = []string{"tasks", "projects", "deals", "contacts", "companies", "invoices", "lab_tickets", "lab_answers"}

// ofKnown are the lines about the known tables.
func ofKnown(lines []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		table, _, _ := strings.Cut(line, ":")
		return !slices.Contains(known, table)
	}), "\n")
}

// dropReferences drops what refers from a table to others, but for one.
func dropReferences(d *diff.Declaration, from, but string, to ...string) {
	for _, fk := range slices.Clone(table(d, from).ForeignKeys) {
		if column := fk.Columns[0].Name; column != but && slices.Contains(to, fk.RefTable.Name) {
			dropColumn(d, from+"."+column)
		}
	}
}

// dropTable drops a table, and what refers to it from resources that these tests
// do not know.
func dropTable(d *diff.Declaration, name string) {
	for _, t := range d.Tables {
		for _, fk := range slices.Clone(t.ForeignKeys) {
			if fk.RefTable.Name == name && !slices.Contains(known, t.Name) {
				dropColumn(d, t.Name+"."+fk.Columns[0].Name)
			}
		}
	}
	d.Tables = slices.DeleteFunc(d.Tables, func(t *schema.Table) bool { return t.Name == name })
	d.Records = slices.DeleteFunc(d.Records, func(t string) bool { return t == name })
}

// addIndex adds an index of a workspace's records, named as Ent does.
func addIndex(d *diff.Declaration, tableName string, unique bool, columns ...string) {
	i := &schema.Index{Name: strings.TrimSuffix(tableName, "s") + "_workspace_id_" + strings.Join(columns, "_"), Unique: unique}
	for _, c := range append([]string{"workspace_id"}, columns...) {
		i.Columns = append(i.Columns, columnOf(d, tableName+"."+c))
	}
	table(d, tableName).Indexes = append(table(d, tableName).Indexes, i)
}

func dropIndexes(d *diff.Declaration, tableName string) { table(d, tableName).Indexes = nil }
