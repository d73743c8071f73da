package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// service is a server that tests need, or another program.
type service struct {
	name     string // as -only takes it
	variable string // where the command looks for its URL or its place; "" if it needs none
	packages string // Debian's packages
	wants    string // what has to be found, for a person

	// find returns where the server is installed, "" for nowhere.
	find func() string
	// start runs it in the folder and returns its URL, or its place where nothing has
	// to run yet, for the variable; durable is for a database. Without it the program
	// has to be installed, and is found in PATH; only by -only.
	start func(ctx context.Context, where, folder string, durable bool) (*process, string, error)
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
	{
		// Tests that stop, kill or freeze a server, and those of backups, start their own.
		name: "postgres-programs", variable: "TEST_POSTGRES_BIN", packages: "postgresql",
		wants: fmt.Sprintf("PostgreSQL's programs, %d or later", oldestPostgres),
		find:  findPostgres, start: onlyFound,
	},
	{
		// Tests start it themselves, each in front of its own database.
		name: "pgbouncer", variable: "TEST_PGBOUNCER", packages: "pgbouncer",
		wants: "PgBouncer",
		find:  func() string { return lookUp("pgbouncer", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin") },
		start: onlyFound,
	},
	{
		// Tests start it themselves, in front of their own replicas.
		name: "nginx", variable: "TEST_NGINX", packages: "nginx",
		wants: "nginx",
		find:  func() string { return lookUp("nginx", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin") },
		start: onlyFound,
	},
	{
		name: "chromium", variable: "TEST_CHROMIUM", packages: "chromium",
		wants: "Chromium",
		find:  findChromium, start: onlyFound,
	},
	{
		// Tests run programs by them, as those do who copy them from the quickstart.
		name: "curl", variable: "TEST_CURL", packages: "curl",
		wants: "curl", find: func() string { return lookUp("curl") },
		start: onlyFound,
	},
	{
		name: "python", variable: "TEST_PYTHON", packages: "python3",
		wants: "Python 3", find: func() string { return lookUp("python3") },
		start: onlyFound,
	},
	{
		name: "node", packages: "nodejs npm",
		wants: fmt.Sprintf("Node.js %d.%d or later with npm", oldestNode[0], oldestNode[1]),
		find:  findNode,
	},
}

// onlyFound starts nothing: tests start the program themselves.
func onlyFound(_ context.Context, program, _ string, _ bool) (*process, string, error) {
	return nil, program, nil
}

// choose returns the services to start: those asked for, by default all servers,
// whose variable does not name a server yet.
func choose(only string, getenv func(string) string) ([]service, error) {
	var asked []string
	if only != "" {
		asked = strings.Split(only, ",")
	}
	var chosen []service
	for _, s := range services {
		i := slices.Index(asked, s.name)
		if i >= 0 {
			asked = slices.Delete(asked, i, i+1)
		}
		if i < 0 && (only != "" || s.start == nil) {
			continue
		}
		if s.start == nil || getenv(s.variable) == "" {
			chosen = append(chosen, s)
		}
	}
	if len(asked) > 0 {
		return nil, fmt.Errorf("-only %s: there is no such server", asked[0])
	}
	return chosen, nil
}

// running is what startAll started.
type running struct {
	folder      string
	processes   []*process
	environment []string // NAME=VALUE
}

// startAll starts the services in a folder of their own. What it returns has to
// be stopped, also beside an error.
func startAll(ctx context.Context, wanted []service, durable bool) (*running, error) {
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
		if s.start == nil {
			r.environment = append(r.environment, "PATH="+places[i]+string(os.PathListSeparator)+os.Getenv("PATH"))
			continue
		}
		p, url, err := s.start(ctx, places[i], r.folder, durable)
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
