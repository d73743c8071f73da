package isolation

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/ent/recordcount"
	entrest "records/ent/rest"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/hostile"
	"records/internal/rest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// tenant is a workspace, a key of it that may write, and its records. Each of
// its texts begins with its canary.
type tenant struct {
	*servertest.Client
	id     uuid.UUID
	ctx    context.Context
	canary string
	ids    map[string][]string // by plural; the last refer to others
	bodies int                 // how many were made up
}

// world is a running server with two workspaces full of records. thief acts,
// owner must notice nothing.
type world struct {
	db           *database.DB
	server       *servertest.Server
	all          rest.Resources
	thief, owner *tenant
}

func each(t *testing.T, f func(t *testing.T, w *world)) {
	t.Parallel()
	dbtest.EachConfined(t, func(t *testing.T, db, served *database.DB) {
		w := start(t, db, served)
		w.thief, w.owner = w.tenant(t, "thief7q"), w.tenant(t, "owner4x")
		w.owner.bodies = 100 // what is unique can be copied to the other
		w.fill(t, w.thief)
		w.fill(t, w.owner)
		f(t, w)
	})
}

// start serves a database, which db sees all of.
func start(t *testing.T, db, served *database.DB) *world {
	t.Helper()
	s := servertest.Start(t, served)
	return &world{db: db, server: s, all: entrest.Resources(s.Ent)}
}

func (w *world) tenant(t *testing.T, canary string) *tenant {
	t.Helper()
	id := w.server.Workspace(t)
	v := viewer.Viewer{Workspace: id, Scope: viewer.Write}
	return &tenant{w.server.Key(t, id, viewer.Write), id, viewer.NewContext(t.Context(), v), canary, map[string][]string{}, 0}
}

// fill gives a tenant two records of every resource that refer to nothing, and
// then two with every reference set.
func (w *world) fill(t *testing.T, who *tenant) {
	t.Helper()
	for range 2 {
		made := maps.Clone(who.ids)
		for _, r := range w.all {
			for range 2 {
				id := w.create(t, who, r, who.body(r, made))
				who.ids[r.Spec().Plural] = append(who.ids[r.Spec().Plural], id)
			}
		}
	}
}

// create makes a record below HTTP, where invoices too can be made.
func (w *world) create(t *testing.T, who *tenant, r rest.Resource, body map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	created, err := r.Create(who.ctx, w.all, raw)
	if err != nil {
		t.Fatalf("%s: %v: %s", r.Spec().Plural, err, raw)
	}
	return servertest.Response{Body: created}.ID(t)
}

// body is a valid body in which every text that may carries the canary. What is
// unique is as in none before.
func (who *tenant) body(r rest.Resource, made map[string][]string) map[string]any {
	who.bodies++
	return hostile.Body(r, who.bodies-1, made, who.canary)
}

// unchanged runs f, and fails if anything of the owner's is not as it was,
// updated_at included.
func (w *world) unchanged(t *testing.T, f func()) {
	t.Helper()
	before := w.dump(t, w.owner)
	f()
	if after := w.dump(t, w.owner); after != before {
		t.Errorf("the owner's records changed:\nbefore: %s\nafter:  %s", before, after)
	}
}

// dump is every column of every record of a workspace, as the database has it, and
// how many it counts.
func (w *world) dump(t *testing.T, who *tenant) string {
	t.Helper()
	var b strings.Builder
	for _, r := range w.all {
		var counted int
		query := fmt.Sprintf("SELECT sum(n) FROM %s WHERE workspace_id = '%s' AND resource = '%s'", recordcount.Table, who.id, r.Spec().Table)
		if err := w.db.SQL().QueryRowContext(t.Context(), query).Scan(&counted); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, counted, r.Spec().Plural)
		for _, row := range dbtest.Rows(t, w.db, fmt.Sprintf("SELECT * FROM %s WHERE workspace_id = '%s' ORDER BY id", r.Spec().Table, who.id)) {
			fmt.Fprintln(&b, row, r.Spec().Table)
		}
	}
	return b.String()
}

var (
	anyUUID = regexp.MustCompile(`(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}`)
	anyTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)
)

// plain is an answer without what differs between any two: dates, request ids,
// and ids, whatever their case.
func plain(r servertest.Response) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Status)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if name != "Date" && name != "X-Request-Id" {
			fmt.Fprintln(&b, name, r.Header[name])
		}
	}
	b.Write(r.Body)
	return anyTime.ReplaceAllString(anyUUID.ReplaceAllString(b.String(), "UUID"), "TIME")
}

// silent fails if an answer holds anything of another tenant: its canary, its
// workspace's id, or an id of its records that the request did not name.
func silent(t *testing.T, what string, r servertest.Response, other *tenant, named ...string) {
	t.Helper()
	text := strings.ToLower(fmt.Sprint(r.Header) + string(r.Body))
	secrets := []string{other.canary, other.id.String(), strings.ToLower(other.Token)}
	for _, ids := range other.ids {
		secrets = append(secrets, ids...)
	}
	for _, s := range secrets {
		if strings.Contains(text, s) && !slices.Contains(named, s) {
			t.Errorf("%s: the answer tells of another workspace (%s): %d %s", what, s, r.Status, r.Body)
		}
	}
}
