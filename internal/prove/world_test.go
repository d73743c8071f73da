package prove

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	entrest "records/ent/rest"
	"records/internal/database"
	"records/internal/server"
	"records/internal/servertest"
	"records/internal/viewer"
)

// canaryMark begins every canary. Three more characters say whose it is.
const canaryMark = "zqx"

// world is a running server and everything that is known about its workspaces.
type world struct {
	t       testing.TB
	db      *database.DB
	server  *servertest.Server
	all     []resource
	watch   *watch
	journal *journal
	idle    chan *wire
	spaces  []*space
	done    atomic.Int64 // requests that were answered
	stop    atomic.Bool  // a worker has found something wrong
}

// space is a workspace. One worker alone acts in it.
type space struct {
	number int
	id     uuid.UUID
	ctx    context.Context // of an operator who acts for it
	canary string
	most   int // how many records of a resource it has, about
	bodies int
	main   *key            // may write, and is never changed
	keys   []*key          // main, and some that are
	wrote  map[string]bool // foreign ids that it wrote where any UUID may stand
	oracle *oracle
}

// newWorld serves a database, which db sees all of.
func newWorld(t testing.TB, db, served *database.DB, spaces int) *world {
	t.Helper()
	w := &world{t: t, db: db, watch: newWatch(), journal: newJournal(), idle: make(chan *wire, spaces)}
	w.server = servertest.Start(t, served, func(o *server.Options) {
		o.Log, o.RequestTimeout = slog.New(w.journal), 30*time.Second // other work on the machine is no fault
	})
	w.all = resources(entrest.Resources(w.server.Ent))
	for n := range spaces {
		id := w.server.Workspace(t)
		s := &space{
			number: n, id: id, canary: fmt.Sprintf("%s%03d", canaryMark, n), most: 4 + n*5%24,
			ctx:   viewer.NewContext(t.Context(), viewer.Viewer{Workspace: id, Scope: viewer.Write}),
			wrote: map[string]bool{}, oracle: newOracle(w.all),
		}
		w.watch.own("", id.String(), nobody)
		for _, scope := range []viewer.Scope{viewer.Write, viewer.Write, viewer.Read} {
			if err := w.mint(s, scope, 0); err != nil {
				t.Fatal(err)
			}
		}
		s.main = s.keys[0]
		w.spaces = append(w.spaces, s)
	}
	t.Cleanup(func() {
		close(w.idle)
		for c := range w.idle {
			c.Close()
		}
	})
	return w
}
