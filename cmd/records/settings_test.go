package main_test

import (
	"net"
	"os"
	"testing"
)

func TestFaultyCommandLines(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	p.fails("unknown flag: --nope", "serve", "--nope")
	p.fails("unknown flag: --nope", "--nope")
	p.fails("unknown shorthand flag: 'x' in -x", "workspace", "list", "-x")
	p.fails(`unknown command "nope" for "records"`, "nope")
	p.fails(`unknown command "nope" for "records key"`, "key", "nope")
	p.failsWith(`"extra"`, "serve", "extra")
	p.failsWith(`"--json"`, "serve", "--json=perhaps")
	p.fails(`ratelimit.per_key (from --ratelimit.per_key): want a whole number from 0 to 2147483647, not "many"`, "serve", "--ratelimit.per_key", "many")
	p.fails(`log.format (from --log.format): want text or json, not "xml"`, "workspace", "list", "--log.format=xml")
	p.failsWith("addr (from --addr): ", "serve", "--addr", "nowhere")
	p.failsWith("config (from --config): ", "serve", "--config", "absent.yaml")
	p.failsWith(`database.url (from --database.url): `, "serve", "--database.url", "mysql://root:secret@localhost")
	p.failsWith("there is no folder", "serve", "--database.url", "sqlite:absent/records.db")
	if files, _ := os.ReadDir(p.dir); len(files) != 0 {
		t.Errorf("faulty commands left files: %v", files)
	}
}

func TestFaultyEnvironmentAndFile(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	p.file("unknown.yaml", "ratelimit:\n  per_key: 5\n  per_week: 7\n")
	p.fails(`unknown setting "ratelimit.per_week" in unknown.yaml`, "serve", "--config", "unknown.yaml")
	p.file("bad.yaml", "log:\n  level: loud\n")
	p.fails(`log.level (from bad.yaml): want debug, info, warn or error, not "loud"`, "workspace", "list", "--config", "bad.yaml")
	p.file("broken.yaml", "log: [\n")
	p.failsWith("config: broken.yaml: ", "serve", "--config", "broken.yaml")

	p.set("RATELIMIT_PER_WEEK", "7")
	p.fails("unknown setting RECORDS_RATELIMIT_PER_WEEK in the environment", "serve")
	p.fails("unknown setting RECORDS_RATELIMIT_PER_WEEK in the environment", "migrate", "status")

	q := newProgram(t, "")
	q.set("SERVER_DRAIN_DELAY", "1h")
	q.fails(`server.drain_delay (from RECORDS_SERVER_DRAIN_DELAY): want a duration from 0s to 20s, as 500ms or 2s, not "1h"`, "serve")
}

func TestSourcesByStrength(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	p.file("settings.yaml", "database:\n  url: sqlite:file.db\n")
	p.ok("workspace", "create", "in the file's", "--config", "settings.yaml")
	p.set("DATABASE_URL", "sqlite:environment.db")
	p.ok("workspace", "create", "in the environment's", "--config", "settings.yaml")
	p.ok("workspace", "create", "in the flag's", "--database.url", "sqlite:flag.db")
	for name, want := range map[string]string{"file": "in the file's", "environment": "in the environment's", "flag": "in the flag's"} {
		var all []struct{ Name string }
		p.json(&all, "workspace", "list", "--database.url=sqlite:"+name+".db")
		if len(all) != 1 || all[0].Name != want {
			t.Errorf("%s.db holds %v", name, all)
		}
	}
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p := newProgram(t, "")
	p.ok("workspace", "list")
	p.fails("addr: listen tcp "+listener.Addr().String()+": bind: address already in use", "serve", "--addr", listener.Addr().String())
}

// A fault is one line without the password, whatever the database says.
func TestUnreachableDatabase(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "postgres://user:s3cret@127.0.0.1:1/records?sslmode=disable")
	for _, args := range [][]string{{"workspace", "list"}, {"migrate", "up"}, {"migrate", "status"}, {"seed"}} {
		_, log, _ := p.run(args...)
		if contains(log, "s3cret") {
			t.Errorf("records %v: %q", args, log)
		}
		p.failsWith("connect", args...)
	}
	q := newProgram(t, "")
	q.file("records.db", "this is no database, however long one looks at it")
	q.failsWith("is not a SQLite database", "workspace", "list")
}
