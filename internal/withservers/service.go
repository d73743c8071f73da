package main

import (
	"context"
	"fmt"
	"os"
)

// service is a server that tests need.
type service struct {
	name     string // as -only takes it
	variable string // where the command looks for its URL
	packages string // Debian's package
	wants    string // what has to be found, for a person

	// find returns where the server is installed, "" for nowhere.
	find func() string
	// start runs it in the folder and returns its URL once it answers.
	start func(ctx context.Context, where, folder string) (*process, string, error)
}

var services = []service{
	{
		name: "postgres", variable: "TEST_POSTGRES_URL", packages: "postgresql",
		wants: fmt.Sprintf("PostgreSQL %d or later", oldestPostgres),
		find:  findPostgres, start: startPostgres,
	},
	{
		name: "redis", variable: "TEST_REDIS_URL", packages: "redis-server",
		wants: "Redis",
		find:  findRedis, start: startRedis,
	},
}

// choose returns the services to start: those asked for whose variable does not
// name a server yet.
func choose(only string, getenv func(string) string) ([]service, error) {
	var chosen []service
	known := only == ""
	for _, s := range services {
		if only != "" && only != s.name {
			continue
		}
		known = true
		if getenv(s.variable) == "" {
			chosen = append(chosen, s)
		}
	}
	if !known {
		return nil, fmt.Errorf("-only %s: there is no such server", only)
	}
	return chosen, nil
}

// running is what startAll started.
type running struct {
	folder      string
	processes   []*process
	environment []string // NAME=URL
}

// startAll starts the services in a folder of their own. What it returns has to
// be stopped, also beside an error.
func startAll(ctx context.Context, wanted []service) (*running, error) {
	r := &running{}
	if len(wanted) == 0 {
		return r, nil
	}
	places, err := locate(wanted)
	if err != nil {
		return r, err
	}
	if r.folder, err = makeFolder(); err != nil {
		return r, err
	}
	for i, s := range wanted {
		p, url, err := s.start(ctx, places[i], r.folder)
		if p != nil {
			r.processes = append(r.processes, p)
		}
		if err != nil {
			return r, fmt.Errorf("start %s: %w", s.wants, err)
		}
		r.environment = append(r.environment, s.variable+"="+url)
	}
	return r, nil
}

// stop ends the servers and removes what they wrote.
func (r *running) stop() {
	for _, p := range r.processes {
		p.stop()
	}
	if r.folder == "" {
		return
	}
	if err := os.RemoveAll(r.folder); err != nil {
		fmt.Fprintln(os.Stderr, "withservers:", err)
	}
}
