package diff

import (
	"context"
	"fmt"

	"ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	atlas "ariga.io/atlas/sql/schema"
	"ariga.io/atlas/sql/sqlite"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"

	"records/internal/database"
)

// replica is an empty database of a dialect in which migrations are replayed
// and what is planned is tried.
type replica struct {
	db     *database.DB
	driver migrate.Driver
	close  migrate.RestoreFunc

	history []state // what each migration has left
}

// open takes the database, which must be empty. close empties it again.
func open(ctx context.Context, db *database.DB) (*replica, error) {
	opener := sqlite.Open
	if db.Dialect() == dialect.Postgres {
		opener = postgres.Open
	}
	driver, err := opener(db.SQL())
	if err != nil {
		return nil, err
	}
	snapshoter, ok := driver.(migrate.Snapshoter)
	if !ok {
		return nil, fmt.Errorf("%T takes no snapshots", driver)
	}
	restore, err := snapshoter.Snapshot(ctx)
	return &replica{db: db, driver: driver, close: restore}, err
}

// declared returns what the tables and triggers are once a database has them: in
// its own spelling of types, defaults and predicates.
func (r *replica) declared(ctx context.Context, d Declaration, tables []*schema.Table, triggers map[string]trigger) (*atlas.Schema, map[string]trigger, error) {
	if err := r.make(ctx, d, tables, triggers); err != nil {
		return nil, nil, err
	}
	wanted, err := r.inspect(ctx)
	if err != nil {
		return nil, nil, err
	}
	spelled, err := r.presentTriggers(ctx)
	if err != nil {
		return nil, nil, err
	}
	return wanted, spelled, r.close(ctx)
}

// make makes tables and triggers.
func (r *replica) make(ctx context.Context, d Declaration, tables []*schema.Table, triggers map[string]trigger) error {
	empty, err := r.inspect(ctx)
	if err != nil {
		return err
	}
	m, err := schema.NewMigrate(entsql.OpenDB(r.db.Dialect(), r.db.SQL()), schema.WithDialect(r.db.Dialect()))
	if err != nil {
		return err
	}
	realm, err := m.StateReader(tables...)(ctx)
	if err != nil {
		return err
	}
	wanted := atlas.New(empty.Name)
	for _, s := range realm.Schemas {
		wanted.AddTables(s.Tables...)
	}
	if err := setDefaults(r.db.Dialect(), d, tables, wanted); err != nil {
		return err
	}
	var all []atlas.Change
	for _, t := range wanted.Tables {
		all = append(all, &atlas.AddTable{T: t})
	}
	planned, err := r.statements(ctx, all...)
	if err != nil {
		return err
	}
	for _, c := range planned {
		if err := r.run(ctx, c.Cmd); err != nil {
			return fmt.Errorf("trying %q: %w", c.Cmd, err)
		}
	}
	for _, name := range inOrder(triggers) {
		if err := r.run(ctx, triggers[name].text); err != nil {
			return fmt.Errorf("trying %q: %w", triggers[name].text, err)
		}
	}
	return nil
}

// setDefaults gives each column with a backfill that value as its default, so
// that an older program, which does not know the column, can go on inserting.
func setDefaults(dialectName string, d Declaration, tables []*schema.Table, wanted *atlas.Schema) error {
	for _, t := range tables {
		for _, c := range t.Columns {
			value, ok := d.Backfills[t.Name+"."+c.Name]
			if !ok {
				continue
			}
			text, err := literal(dialectName, c, value)
			if err != nil {
				return fmt.Errorf("%s: annotation.Backfill of %s: %w", d.source(t.Name), c.Name, err)
			}
			if t, ok := wanted.Table(t.Name); ok {
				if c, ok := t.Column(c.Name); ok {
					c.SetDefault(&atlas.Literal{V: text})
				}
			}
		}
	}
	return nil
}

// replay runs the migrations of a folder. SQLite checks foreign keys only when
// asked to from here on, as the program does it: a table that is written anew
// is away for a moment.
func (r *replica) replay(ctx context.Context, folder string) error {
	dir, err := migrate.NewLocalDir(folder)
	if err != nil {
		return err
	}
	if err := migrate.Validate(dir); err != nil {
		return fmt.Errorf("%s does not match its atlas.sum; after a change by hand run `make migration-sums`: %w", folder, err)
	}
	files, err := readScripts(folder, r.db.Dialect())
	if err != nil {
		return err
	}
	if r.db.Dialect() == dialect.SQLite {
		if err := r.run(ctx, "PRAGMA foreign_keys = off"); err != nil {
			return err
		}
	}
	for _, f := range files {
		for _, s := range f.Statements {
			if s.Read().Take("lock") { // there is nobody else, and no transaction
				continue
			}
			if err := r.run(ctx, s.Text); err != nil {
				return fmt.Errorf("replaying %s:%d: %w; if another branch's migration came before it by a merge, generate it anew (docs/schema.md, \"Two branches with a migration each\")", f.Name, s.Line, err)
			}
		}
		if err := r.note(ctx, f.Name); err != nil {
			return err
		}
	}
	return nil
}

func (r *replica) run(ctx context.Context, statement string) error {
	_, err := r.db.SQL().ExecContext(ctx, statement)
	return err
}

// inspect returns what the database has now.
func (r *replica) inspect(ctx context.Context) (*atlas.Schema, error) {
	return r.driver.InspectSchema(ctx, "", nil)
}

// statements returns what Atlas writes for the changes.
func (r *replica) statements(ctx context.Context, changes ...atlas.Change) ([]*migrate.Change, error) {
	plan, err := r.driver.PlanChanges(ctx, "", changes, func(o *migrate.PlanOptions) { o.SchemaQualifier = new(string) })
	if err != nil {
		return nil, err
	}
	return plan.Changes, nil
}
