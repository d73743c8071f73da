package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"records/config"
	"records/ent/rule"
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/server"
	"records/internal/viewer"
)

// statementSlack is how much longer PostgreSQL lets a statement go on than the request
// that it is for: it is the program that ends it, unless the program is cut off.
const statementSlack = 2 * time.Second

func newServe() *cobra.Command {
	cmd := &cobra.Command{Use: "serve", Short: "Serve the API", Args: cobra.NoArgs, RunE: runServe}
	cmd.Flags().Bool("demo", false, "make the demo workspace, and print a key for it and a first call")
	return cmd
}

func runServe(cmd *cobra.Command, _ []string) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), endings()...) // so that a second one does not cut off who is being served
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // who reads the log or the address may go; Go would end the program then
	if os.Getenv("GOGC") == "" {
		defer runtime.KeepAlive(giveRoom())
	}
	a, err := openToServe(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	defer a.flushLog()
	seen, err := a.openSeen()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", a.config.Addr)
	if err != nil {
		return fmt.Errorf("addr: %w", err)
	}
	s, err := server.New(seen.options(a.serverOptions(listener.Addr().String())))
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer s.Close()
	announce, err := a.announcement(ctx, listener, seen.listener, flag(cmd, "demo") == "true")
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	go announce() // whoever should read it may not, and is not waited for
	forgetProgram()
	return serve(ctx, s, seen, listener)
}

// openToServe opens the database. A PostgreSQL that cannot be reached now is no
// reason not to start: readiness says so until it can.
func openToServe(cmd *cobra.Command) (*app, error) {
	c, err := config.Load(cmd.Flags())
	if err != nil {
		return nil, err
	}
	options := ofRequests(c)
	options.Confined = confined(c)
	a, err := openWith(cmd, c, options)
	if err != nil {
		return nil, err
	}
	err = a.ensureSchema(context.WithoutCancel(cmd.Context())) // what was begun is finished first
	if database.RefusesParameter(err) {
		return nil, errors.Join(fmt.Errorf("%s: %w", c.Name("database.url"), err), a.db.Close())
	}
	if database.IsUnavailable(err) && !database.IsAltered(err) && !errors.Is(err, database.ErrNotConfined) && !a.config.Database.Migrate && a.db.Path() == "" {
		a.log.Warn("the database cannot be reached yet", "error", err.Error())
		err = nil
	}
	if err != nil {
		return nil, errors.Join(err, a.db.Close())
	}
	return a, nil
}

// ofRequests is how PostgreSQL treats a session of the server.
func ofRequests(c config.Config) database.Options {
	return database.Options{ByIndex: true, StatementTimeout: c.Server.RequestTimeout + statementSlack, LockTimeout: c.Server.RequestTimeout / 2}
}

func (a *app) serverOptions(listening string) server.Options {
	url := a.developerURL(listening)
	return server.Options{
		DeveloperURL: url, Identity: a.identity(url),
		Client: a.client, DB: a.db, Log: a.log,
		PerKey: a.config.RateLimit.PerKey, PerIP: a.config.RateLimit.PerIP, CeilingStore: a.config.RateLimit.Store,
		TrustedProxies: a.config.Server.TrustedProxies,
		RequestTimeout: a.config.Server.RequestTimeout,
		DrainDelay:     a.config.Server.DrainDelay,
		MaxConnections: a.config.Server.MaxConnections,
		MaxWaiting:     a.config.Server.MaxWaiting,
		MaxWait:        a.config.Server.MaxWait,
	}
}

// serve runs until the context ends, and lets what goes on beside requests
// finish last.
func serve(ctx context.Context, s *server.Server, seen *seen, listener net.Listener) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var beside sync.WaitGroup
	beside.Go(func() { s.Run(background) })
	beside.Go(func() { seen.serve(background, s) })
	beside.Go(func() { restWhenIdle(background, idleAfter) })
	err := s.Serve(ctx, listener)
	stop()
	beside.Wait()
	return err
}

// announcement returns what prints the address, that of the metrics if they have one,
// and with demo a key and a call to paste.
func (a *app) announcement(ctx context.Context, listener, metrics net.Listener, demo bool) (announce func(), err error) {
	address := "http://" + listener.Addr().String()
	shown := map[string]string{"address": address}
	text := "Listening on " + address
	if metrics != nil {
		shown["metrics"] = "http://" + metrics.Addr().String() + "/metrics"
		text += "\nMetrics on " + shown["metrics"]
	}
	if demo {
		w, token, err := a.demoKey(ctx)
		if err != nil {
			return nil, err
		}
		url := a.developerURL(listener.Addr().String())
		call := fmt.Sprintf("curl -H 'Authorization: Bearer %s' '%s%s/tasks?limit=2'", token, url, server.Base)
		shown["token"], shown["curl"] = token, call
		text += "\n\nA key of the demo workspace, for 24 hours:\n\n  " + token + "\n\nTry it:\n\n  " + call + "\n"
		link, err := a.firstOwner(ctx, w, url)
		if err != nil {
			return nil, err
		}
		if link != "" {
			shown["invitation"] = link
			text += "\nSign in as its owner, in a browser. The link is good once:\n\n  " + link + "\n"
		}
	}
	return func() {
		if err := a.print.result(shown, "%s", text); err != nil {
			a.log.Warn("the address could not be printed", "address", address, "error", err.Error())
		}
	}, nil
}

// demoKey makes the demo workspace, if it is not there, and mints a key for it.
func (a *app) demoKey(ctx context.Context) (workspace uuid.UUID, token string, err error) {
	w, _, err := a.seed(ctx)
	if err != nil {
		return workspace, "", err
	}
	tomorrow := time.Now().Add(24 * time.Hour).UTC().Truncate(time.Millisecond)
	_, token, err = apikey.Create(rule.AsOperator(ctx), a.client, apikey.Request{Workspace: w.ID, Name: "demo", Scope: viewer.Write, Expires: &tomorrow})
	return w.ID, token, err
}
