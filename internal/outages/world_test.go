package outages

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"records/ent"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/apikey"
	"records/internal/dbtest"
	"records/internal/viewer"
)

const (
	writersEach = 2 // writers of a workspace
	spaces      = 4 // workspaces in which they write
	readers     = 2
	goodWithin  = 15 // seconds in which good answers must come again; five are promised
)

// site is a database, and what can happen to it.
type site struct {
	url     string // as the program reaches it
	direct  string // past all that is broken
	outages []outage
	// slow makes each create of a project take a while at the database.
	slow, fast []string
	// settle waits until the database has done with what was sent to it.
	settle func()
	// unbroken looks whether its files are.
	unbroken func()
}

// world is a running program and everything that was asked of it.
type world struct {
	*rand.Rand // of the one who brings the outages about
	t          *testing.T
	site       site
	program    *program
	client     *http.Client // of writers and readers
	crowd      *http.Client // of those who are too many
	spaces     []space
	imports    space
	ledger     *ledger
	tally      *tally
	probe      *writer
	crowded    atomic.Int64 // creates of the crowd

	quiet   sync.RWMutex // held by writers while they ask
	over    atomic.Bool
	writers []*writer
	running sync.WaitGroup
}

// space is a workspace, and a key that may write.
type space struct{ name, token string }

func newWorld(t *testing.T, s site, chosen uint64) *world {
	t.Helper()
	w := &world{
		Rand: rand.New(rand.NewPCG(chosen, 0)), t: t, site: s, program: newProgram(t, s.url),
		client: newClient(t), crowd: newClient(t), ledger: newLedger(), tally: newTally(),
	}
	w.program.env = append(w.program.env, "RECORDS_RATELIMIT_PER_KEY=0", "RECORDS_RATELIMIT_PER_IP=0", "RECORDS_LOG_LEVEL=warn")
	w.program.must("migrate", "up")
	db := dbtest.OpenURL(t, s.direct)
	client := ent.NewClient(ent.Driver(db.Driver()))
	for i := range spaces + 1 {
		operator := rule.AsOperator(t.Context())
		made, err := client.Workspace.Create().SetName(fmt.Sprint("Workspace ", i)).Save(operator)
		if err != nil {
			t.Fatal(err)
		}
		_, token, err := apikey.Create(operator, client, apikey.Request{Workspace: made.ID, Name: "writer", Scope: viewer.Write})
		if err != nil {
			t.Fatal(err)
		}
		w.spaces = append(w.spaces, space{made.Name, token})
	}
	w.spaces, w.imports = w.spaces[:spaces], w.spaces[spaces]
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range spaces * writersEach {
		w.writers = append(w.writers, w.newWriter(chosen, i))
	}
	w.probe = w.newWriter(chosen, len(w.writers))
	w.program.start()
	return w
}

func (w *world) startWriters(chosen uint64) {
	for _, k := range w.writers {
		w.running.Go(k.work)
	}
	for i := range readers {
		w.running.Go(w.newWriter(chosen, len(w.writers)+1+i).read)
	}
	w.running.Go(w.keepImporting)
}

// endWriters stops them, and looks at everything once more.
func (w *world) endWriters() {
	w.over.Store(true)
	w.running.Wait()
	if w.t.Failed() {
		return
	}
	w.verify("the end")
	w.program.stop()
	w.site.unbroken()
}

// awaitGood returns how long it took until a record could be made, read and deleted.
func (w *world) awaitGood() time.Duration {
	began := time.Now()
	for !w.probe.roundTrip(tasks) {
		if time.Since(began) > goodWithin*time.Second {
			w.t.Errorf("no good answers %s after the end of: %s", time.Since(began).Round(time.Millisecond), w.tally.outage())
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return time.Since(began)
}
