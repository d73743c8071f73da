package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"unicode/utf8"

	"entgo.io/ent/dialect"
	"github.com/spf13/cobra"

	"records/config"
	"records/ent"
	entrest "records/ent/rest"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/ent/workspace"
	"records/internal/database"
	"records/internal/logging"
	"records/internal/scalar"
	"records/internal/viewer"
	"records/migrate"
)

// app is what every subcommand stands on.
type app struct {
	config   config.Config
	db       *database.DB
	client   *ent.Client
	log      *slog.Logger
	flushLog func() // writes the lines of requests that still wait
	print    printer
}

// errPending asks for the one step that PostgreSQL never takes unasked.
var errPending = errors.New("migrations are pending: run `records migrate up` (or set database.migrate=true)")

// open reads the settings and opens the database, its schema brought up to
// date or found to be so.
func open(cmd *cobra.Command) (*app, error) {
	c, err := config.Load(cmd.Flags())
	if err != nil {
		return nil, err
	}
	a, err := openWith(cmd, c, database.Options{Confined: confined(c)})
	return a.ready(cmd, err)
}

func (a *app) ready(cmd *cobra.Command, err error) (*app, error) {
	if err != nil {
		return nil, err
	}
	if err := a.ensureSchema(cmd.Context()); err != nil {
		return nil, errors.Join(err, a.db.Close())
	}
	return a, nil
}

// openUnchecked opens the database as it is, with the sizes of its pool and of its
// statement cache from the settings.
func openUnchecked(cmd *cobra.Command, options database.Options) (*app, error) {
	c, err := config.Load(cmd.Flags())
	if err != nil {
		return nil, err
	}
	return openWith(cmd, c, options)
}

// openWith is openUnchecked, with settings that were read already.
func openWith(cmd *cobra.Command, c config.Config, options database.Options) (*app, error) {
	options.MaxConns = c.Database.MaxConnections
	options.StatementCache = c.Database.StatementCache
	options.Counted = entrest.Resources(nil).Tables()
	log, flush := logging.New(os.Stderr, c.Log)
	options.OnPrimary = func(host string) { log.Warn("the primary of the database is another host now", "host", host) }
	db, err := database.Open(c.Database.URL, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name("database.url"), err)
	}
	return &app{
		config:   c,
		db:       db,
		client:   ent.NewClient(ent.Driver(db.Driver())),
		log:      log,
		flushLog: flush,
		print:    printerOf(cmd),
	}, nil
}

// ensureSchema migrates an embedded database, and PostgreSQL only if asked to. It
// refuses a database that a newer program has migrated past what this one can serve.
func (a *app) ensureSchema(ctx context.Context) error {
	if a.db.Dialect() == dialect.SQLite || a.config.Database.Migrate {
		applied, err := migrate.Embedded.Up(ctx, a.db, a.migrateOptions())
		for _, name := range applied {
			a.log.Info("migrated", "migration", name)
		}
		if err == nil && len(applied) > 0 {
			_, err = a.keepRowSecurity(ctx)
		}
		if err != nil {
			return err
		}
		return a.checkRowSecurity(ctx)
	}
	standing, err := migrate.Embedded.Compare(ctx, a.db)
	if err != nil {
		return err
	}
	if err := standing.Err(); err != nil {
		return err
	}
	if len(standing.Pending) > 0 {
		return errPending
	}
	return a.checkRowSecurity(ctx)
}

// migrateOptions are the settings for applying migrations.
func (a *app) migrateOptions() migrate.Options {
	return migrate.Options{
		LockTimeout: a.config.Database.LockTimeout,
		Patience:    a.config.Database.LockPatience,
		Say:         func(what string) { a.log.Warn("migrating", "what", what) },
	}
}

// workspace finds a workspace by its id or its name. What reads as an id is one and
// nothing else: a workspace that is named like another's id does not take its place.
func (a *app) workspace(ctx context.Context, nameOrID string) (*ent.Workspace, error) {
	ctx = rule.AsOperator(ctx)
	if id, err := scalar.ParseUUID(nameOrID); err == nil {
		w, err := a.client.Workspace.Get(ctx, id)
		if ent.IsNotFound(err) {
			return nil, fmt.Errorf("there is no workspace with the id %s; see `records workspace list`", id)
		}
		return w, err
	}
	w, err := a.client.Workspace.Query().Where(workspace.Name(nameOrID)).Only(ctx)
	if ent.IsNotFound(err) || !utf8.ValidString(nameOrID) { // for which PostgreSQL does not look
		return nil, fmt.Errorf("there is no workspace %q; make it with `records workspace create`", nameOrID)
	}
	return w, err
}

// writer returns a context in which the operator writes in a workspace, under
// the same policies as a key of it.
func writer(ctx context.Context, w *ent.Workspace) context.Context {
	return viewer.NewContext(ctx, viewer.Viewer{Workspace: w.ID, Scope: viewer.Write})
}
