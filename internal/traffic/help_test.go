package traffic

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies and defaults
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/viewer"
)

// world is a database, and the keys of two workspaces in it.
type world struct {
	db     *database.DB
	client *ent.Client
	a, b   Request // what to note of a request
}

func each(t *testing.T, f func(t *testing.T, w world)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, db *database.DB) { f(t, newWorld(db)) })
}

func newWorld(db *database.DB) world {
	request := func() Request {
		return Request{Workspace: uuid.New(), Key: uuid.New(), At: time.Now(), Status: http.StatusOK, Method: http.MethodGet, Route: "/api/v1/tasks", ID: "id"}
	}
	return world{db, ent.NewClient(ent.Driver(db.Driver())), request(), request()}
}

// member is a context in which a member of a workspace is asking.
func member(t *testing.T, workspace uuid.UUID) context.Context {
	return viewer.NewPersonContext(t.Context(), viewer.Person{User: uuid.New(), Workspace: workspace, Role: viewer.RoleViewer})
}

func operator(t *testing.T) context.Context { return rule.AsOperator(t.Context()) }

// note counts a request n times.
func note(r *Recorder, q Request, n int) {
	for range n {
		r.Note(&q)
	}
}

func write(t *testing.T, r *Recorder) {
	t.Helper()
	if err := r.write(t.Context(), true); err != nil {
		t.Fatal(err)
	}
}

// sums are the requests of an hour and of a day, as a member reads them.
func (w world) sums(t *testing.T, q Request) (hour, day int64) {
	t.Helper()
	ctx, now := member(t, q.Workspace), time.Now()
	minutes, err := Hour(ctx, w.client, &q.Key, now)
	if err != nil {
		t.Fatal(err)
	}
	hours, err := Day(ctx, w.client, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range minutes {
		hour += s.Total()
	}
	for _, s := range hours {
		day += s.Total()
	}
	byKey, err := ByKey(ctx, w.client, now)
	if err != nil || byKey[q.Key].Hour != hour || byKey[q.Key].Day != day {
		t.Errorf("by key %v, %v; want %d and %d", byKey, err, hour, day)
	}
	return hour, day
}

// rows are what a member of no workspace would see: how many rows there are.
func (w world) rows(t *testing.T) (counts, refused int) {
	t.Helper()
	return w.client.KeyTraffic.Query().CountX(operator(t)), w.client.RefusedRequest.Query().CountX(operator(t))
}
