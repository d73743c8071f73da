package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"records/internal/dbtest"
	"records/internal/servertest"
)

var (
	tokens = regexp.MustCompile(`wrk_[0-9A-Za-z]{30,}`)
	links  = regexp.MustCompile(`/invitations/([0-9A-Za-z_-]{43})`)
	idIn   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}`)
)

// Whatever is asked of the program and whatever goes wrong in it: no password, token,
// cookie or secret of a setting is in its log, its errors, its metrics and traces, in
// what commands print, in the database or in Redis; and what clients send is in their
// answers and the database alone.
func TestSecretsStayInside(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		s := newSecrets(t)
		s.live(newProgram(t, dbtest.URL(t, dialect.SQLite)), func() {})
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		s := newSecrets(t)
		c := dbtest.NewCluster(t)
		password := s.one("the database's password")
		execute(t, dbtest.OpenURL(t, c.URL).SQL(), "CREATE ROLE records LOGIN SUPERUSER PASSWORD '"+password+"'")
		secretly, err := c.Shell(t.Context(), "sed -i '1i host all records 127.0.0.1/32 scram-sha-256' '"+c.Data()+"/pg_hba.conf'")
		if err != nil {
			t.Fatal(err)
		}
		output(t, "pg_hba.conf", secretly)
		execute(t, dbtest.OpenURL(t, c.URL).SQL(), "SELECT pg_reload_conf()")
		p := newProgram(t, strings.Replace(c.URL, "postgres@", "records:"+password+"@", 1))
		s.run(p, nil, "migrate", "up")
		s.live(p, func() { c.Stop(t, syscall.SIGQUIT) })
	})
}

// live is the life of a program, up to the end of its database.
func (s *secrets) live(p *program, end func()) {
	t := s.t
	url := strings.TrimPrefix(p.env[2], "RECORDS_DATABASE_URL=")
	p.set("RATELIMIT_STORE", strings.Replace(os.Getenv("TEST_REDIS_URL"), "redis://", "redis://records:"+s.one("the password of Redis")+"@", 1)) // which refuses it
	p.set("OIDC_ISSUER", s.provider())
	p.set("OIDC_CLIENT_ID", "records")
	p.set("OIDC_CLIENT_SECRET", s.one("the client's secret"))
	p.set("TRACE_ENDPOINT", s.collector(s.one("the collector's password")))
	p.set("TRACE_RATIO", "1")
	p.set("LOG_LEVEL", "debug")
	p.set("METRICS_ADDR", "127.0.0.1:0")
	p.set("RATELIMIT_PER_KEY", "0")
	p.set("RATELIMIT_PER_IP", "0")

	known, invitation := s.commands(p)
	server := p.serve()
	browser := s.people(server, invitation)
	s.everyRoute(server, browser, known)
	if status, text := get(t, server.printed["metrics"]); status != 200 || !strings.Contains(text, "records_http_requests_total") {
		t.Errorf("metrics: %d", status)
	} else {
		s.say(saying{where: "the metrics", text: text})
	}
	s.say(saying{where: "the database", text: kept(t, url), toClient: true})
	s.breakThings(server, browser, url, known[0])
	end()
	s.api(server, "GET", "/api/v1/tasks", known[0], "")
	s.page(browser, "/account", nil, nil)
	s.run(p, nil, "workspace", "list")
	server.stop()
	s.say(saying{where: "the log", text: server.log.String()})
	if !strings.Contains(server.log.String(), "Redis does not count") || strings.Count(server.log.String(), "level=ERROR") < 5 {
		t.Errorf("too little went wrong: %s", server.log.String())
	}
	s.look()
}

// commands runs every command, and returns tokens of keys, the first of which opens
// its workspace, and that of an invitation.
func (s *secrets) commands(p *program) (known []string, invitation string) {
	s.run(p, nil, "workspace", "create", "Acme")
	shown := func(out string) []string { return tokens.FindAllString(out, -1) }
	mint := func(args ...string) (id string) {
		out := s.run(p, shown, args...)
		if len(shown(out)) != 1 {
			s.t.Fatalf("%v shows no token: %s", args, out)
		}
		known = append(known, s.token("a key's token", shown(out)[0]))
		return idIn.FindString(out)
	}
	mint("key", "create", "--workspace", "Acme", "--name", "a", "--scope", "write")
	old := mint("key", "create", "--workspace", "Acme", "--name", "b", "--scope", "write", "--json")
	mint("key", "rotate", old, "--overlap", "0")
	for _, args := range [][]string{
		{"key", "list", "--workspace", "Acme"}, {"key", "rename", old, "--name", "c"}, {"key", "set-scope", old, "--scope", "read"},
		{"key", "set-expiry", old, "--expires", "1h"}, {"key", "revoke", old}, {"workspace", "list"}, {"seed"}, {"doctor"},
		{"migrate", "status"}, {"migrate", "lint"}, {"migrate", "up", "--dry-run"}, {"migrate", "rehearse"}, {"--help"},
	} {
		s.run(p, nil, args...)
	}
	out := s.run(p, func(out string) []string { return []string{links.FindStringSubmatch(out)[1]} }, "workspace", "invite", "Acme", "--developer.url", "http://127.0.0.1:1")
	invitation = s.add("an invitation's token", links.FindStringSubmatch(out)[1])

	p.file("bad.ndjson", fmt.Sprintf("{\"name\":%q}\n{\"name\":\"a\",\"due_date\":%q}\n", s.content("a row of an import"), s.content("a bad row of an import")))
	s.run(p, nil, "import", "tasks", "bad.ndjson", "--workspace", "Acme")
	wrong := s.one("a password in a setting that is wrong")
	for _, args := range [][]string{
		{"--database.url", "postgres://u:" + wrong + "@h:port/db"}, {"--database.url", "postgres://u:" + wrong + "%zz@h/db"},
		{"--database.url", "postgres://u:" + wrong + "@127.0.0.1:1/db?sslmode=disable"}, {"--database.url", "postgres://u:" + wrong + "@h/db?sslmode=maybe"},
		{"--database.url", "mysql://u:" + wrong + "@h/db"}, {"--ratelimit.store", "redis://:" + wrong + "@h:port"},
		{"--trace.endpoint", "http://u:" + wrong + "@h:port"}, {"--oidc.client_secret", wrong + "\t"}, {"--developer.url", "https://u:" + wrong + "@h"},
		{"--config", p.dir + "/bad.yaml"},
	} {
		p.file("bad.yaml", "database: {url: postgres://u:"+wrong+"@h/db, max_connections: [}\n")
		s.run(p, nil, append([]string{"doctor"}, args...)...)
		s.run(p, nil, append([]string{"serve", "--addr", "127.0.0.1:0", "--database.migrate"}, args...)...) // which needs the database
	}
	if at := strings.Index(p.env[2], "records:"); at > 0 { // a server that asks for the password
		s.run(p, nil, "doctor", "--database.url", strings.TrimPrefix(regexp.MustCompile(`records:\w+@`).ReplaceAllString(p.env[2], "records:"+wrong+"@"), "RECORDS_DATABASE_URL="))
	}
	s.run(p, nil, "carry-over", "--from", "postgres://u:"+wrong+"@127.0.0.1:1/db?sslmode=disable")
	s.run(p, nil, "migrate", "rehearse", "--copy", "postgres://u:"+wrong+"@127.0.0.1:1/db?sslmode=disable")
	return known, invitation
}

// people joins by the invitation, and does what people do. It returns a browser that
// is signed in.
func (s *secrets) people(server *served, invitation string) *servertest.Browser {
	t := s.t
	b := (&servertest.Server{URL: server.address}).Browser(t)
	first, second := s.one("a password"), s.one("a new password")
	s.page(b, "/invitations/"+invitation, nil, nil)
	s.page(b, "/join", url.Values{"action": {"new"}, "email": {"a@example.com"}, "name": {"A"}, "password": {"short"}}, nil)
	if r := s.page(b, "/join", url.Values{"action": {"new"}, "email": {"a@example.com"}, "name": {"A"}, "password": {first}}, nil); r.Status != http.StatusSeeOther {
		t.Fatalf("joining: %d %s", r.Status, r.Body)
	}
	s.cookies(b)
	s.page(b, "/account/password", url.Values{"present": {s.one("a wrong password")}, "password": {second}}, nil)
	s.page(b, "/account/password", url.Values{"present": {first}, "password": {second}}, nil)
	s.cookies(b)
	s.page(b, "/sign-out", url.Values{}, nil)
	s.page(b, "/sign-in", url.Values{"email": {"a@example.com"}, "password": {s.one("another wrong password")}}, nil)

	away := s.page(b, "/sign-in/oidc", nil, nil).Header.Get("Location")
	to, err := url.Parse(away)
	if err != nil || to.Query().Get("state") == "" {
		t.Fatalf("the provider is at %q", away)
	}
	s.page(b, "/sign-in/oidc/callback?code="+s.one("a code of the provider")+"&state="+to.Query().Get("state"), nil, nil)

	if r := s.page(b, "/sign-in", url.Values{"email": {"a@example.com"}, "password": {second}}, nil); r.Status != http.StatusSeeOther {
		t.Fatalf("signing in: %d %s", r.Status, r.Body)
	}
	s.cookies(b)
	return b
}

// cookies adds what the browser keeps.
func (s *secrets) cookies(b *servertest.Browser) {
	for _, name := range []string{"records_session", "__Host-records_session"} {
		if value := b.Cookie(name); value != "" {
			s.add("the cookie of a session", value)
		}
	}
}

// everyRoute calls all of the API with keys of every kind, and all pages.
func (s *secrets) everyRoute(server *served, b *servertest.Browser, known []string) {
	t := s.t
	_, text := get(t, server.address+"/api/v1/openapi.json")
	var description struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(text), &description); err != nil || len(description.Paths) < 10 {
		t.Fatalf("%d paths, %v", len(description.Paths), err)
	}
	keys := append([]string{s.token("a key that nobody has", "wrk_"+strings.Repeat("0", 4)+s.one("the end of one")), s.one("what is no key")}, known...)
	for path, methods := range description.Paths {
		path = "/api/v1" + strings.TrimPrefix(path, "/api/v1")
		for method := range methods {
			for _, key := range keys {
				method, at := strings.ToUpper(method), strings.ReplaceAll(path, "{id}", uuid.NewString())
				s.api(server, method, at, key, `{"name":"`+s.content("a name")+`","title":"a"}`)
				s.api(server, method, at+"?"+s.content("a query")+"=1", key, `{"`+s.content("a member")+`":1}`)
				s.api(server, method, strings.ReplaceAll(path, "{id}", s.content("an id")), key, "{"+s.content("no JSON"))
			}
		}
	}
	s.api(server, "GET", "/"+s.content("a path"), known[0], "")

	keysPage := s.page(b, "/", nil, nil).Header.Get("Location")
	inside := strings.TrimSuffix(keysPage, "/keys")
	for _, page := range []string{"", "/new"} {
		s.page(b, keysPage+page, nil, nil)
	}
	for _, page := range []string{"/activity", "/members", "/use"} {
		s.page(b, inside+page, nil, nil)
	}
	for _, page := range []string{"/account", "/reference", "/quickstart", "/join", "/sign-in", "/invitations/" + s.one("what is no invitation") + "12345"} {
		s.page(b, page, nil, nil)
	}
	shown := func(text string) []string { return tokens.FindAllString(text, -1) }
	made := s.page(b, keysPage+"/new", url.Values{"form": {uuid.NewString()}, "name": {"made"}, "scope": {"read"}, "expiry": {"30"}}, shown)
	if made.Status != 200 || len(shown(string(made.Body))) == 0 {
		t.Fatalf("making a key: %d %s", made.Status, made.Body)
	}
	s.token("a key's token of a page", shown(string(made.Body))[0])
	list := s.page(b, keysPage, nil, nil)
	for _, key := range regexp.MustCompile(keysPage+`/([0-9a-f-]{36})`).FindAllStringSubmatch(string(list.Body), -1) {
		s.page(b, keysPage+"/"+key[1], nil, nil)
		rotated := s.page(b, keysPage+"/"+key[1]+"/rotate", url.Values{"overlap": {"1h"}}, shown)
		for _, token := range shown(string(rotated.Body)) {
			s.token("a rotated key's token", token)
		}
	}
	link := func(text string) (all []string) {
		for _, m := range links.FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
		return all
	}
	invited := s.page(b, inside+"/invitations", url.Values{"role": {"viewer"}}, link)
	if len(link(string(invited.Body))) == 0 {
		t.Fatalf("inviting: %d %s", invited.Status, invited.Body)
	}
	s.add("an invitation's token of a page", link(string(invited.Body))[0])
}

// breakThings breaks tables under the server, so that it fails with what it was sent.
func (s *secrets) breakThings(server *served, b *servertest.Browser, url, key string) {
	db := dbtest.OpenURL(s.t, url)
	rows := db.SQL()
	body := func() string { return `{"title":"` + s.content("what a faulty table refuses") + `","name":"a"}` }
	if db.Dialect() == dialect.Postgres {
		execute(s.t, rows, "ALTER TABLE deals ADD CHECK (title = 'none') NOT VALID") // whose error holds the row
	}
	s.api(server, "POST", "/api/v1/deals", key, body())
	for _, table := range []string{"tasks", "record_counts", "audit_events", "sessions", "users", "api_keys"} {
		execute(s.t, rows, "ALTER TABLE "+table+" RENAME TO broken")
		for _, method := range []string{"GET", "POST"} {
			s.api(server, method, "/api/v1/tasks", key, body())
		}
		s.api(server, "GET", "/api/v1/tasks", s.token("a new key", "wrk_"+strings.Repeat("1", 8)+s.one("the end of a new key")), "")
		s.page(b, "/account", nil, nil)
		s.page(b, "/sign-in", formOf("email", "a@example.com", "password", s.one("a password while a table is broken")), nil)
		s.page(b, "/account/password", formOf("present", s.one("one more password"), "password", s.one("the next password")), nil)
		execute(s.t, rows, "ALTER TABLE broken RENAME TO "+table)
	}
}

func formOf(pairs ...string) url.Values {
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}

// kept is all that a database holds.
func kept(t *testing.T, address string) string {
	t.Helper()
	var all strings.Builder
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		for _, suffix := range []string{"", "-wal"} {
			b, err := os.ReadFile(path + suffix)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(b)
		}
		return all.String()
	}
	for _, rows := range read(t, address) {
		all.WriteString(strings.Join(rows, "\n"))
	}
	return all.String()
}

// What is counted in Redis tells nothing either.
func TestSecretsAreNotInRedis(t *testing.T) {
	t.Parallel()
	s := newSecrets(t)
	p := newProgram(t, "")
	store := dbtest.Redis(t)
	p.set("RATELIMIT_STORE", store)
	k := p.key("Acme", "write")
	s.token("a key's token", k.Token)
	server := p.serve("--log.format", "json", "--log.level", "debug")
	for range 60 {
		s.api(server, "GET", "/api/v1/tasks?"+s.content("a query")+"=1", k.Token, "")
		s.api(server, "GET", "/api/v1/tasks", s.one("no key"), "")
	}
	b := (&servertest.Server{URL: server.address}).Browser(t)
	s.page(b, "/sign-in", formOf("email", "a@example.com", "password", s.one("a password")), nil)
	options, err := redis.ParseURL(store)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	keys, err := client.Keys(ctx, "*").Result()
	if err != nil || len(keys) < 2 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
	for _, key := range keys {
		value, err := client.Get(ctx, key).Result()
		if err != nil {
			t.Error(key, err)
		}
		s.say(saying{where: "Redis", text: key + " " + value})
	}
	server.stop()
	s.say(saying{where: "the log", text: server.log.String()})
	s.look()
}
