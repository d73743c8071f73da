package rest

import (
	"context"
	"slices"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// Calls are the Ent calls of one resource, as the generator writes them. The
// context carries the viewer; the policy keeps each call in its workspace.
type Calls[T any, I Input] interface {
	NewInput() I
	// Append writes a record as clients see it.
	Append(b []byte, record T) []byte
	// List returns one page, newest first. Each record carries the total as the
	// dynamic value CountColumn.
	List(ctx context.Context, page Page) ([]T, error)
	Count(ctx context.Context) (int, error)
	// Known returns those of ids that are records of the workspace.
	Known(ctx context.Context, ids []uuid.UUID) ([]uuid.UUID, error)
	// Get returns the record with an id, or none. Ent's own Get asks for two, in case
	// the id were not unique, which costs the database a tenth of its work.
	Get(ctx context.Context, id uuid.UUID) ([]T, error)
	Create(ctx context.Context, in I) (T, error)
	CreateBulk(ctx context.Context, inputs []I) error
	// Changed names the immutable fields to which a body gives another value
	// than the record has.
	Changed(in I, record T) []string
	// Update returns the records that it reached, one or none, as they now are.
	Update(ctx context.Context, id uuid.UUID, in I) ([]T, error)
	// Delete returns how many records it reached: one or none.
	Delete(ctx context.Context, id uuid.UUID) (int, error)
}

// Begin lets the work of a request at the database begin: it returns the context for
// it and what must be called when it is done, or why it may not begin.
type Begin func(ctx context.Context, resource, method string) (work context.Context, done func(), err error)

// Bounds keep what a request takes within bounds.
type Bounds struct {
	Begin Begin
	Hold  Hold
}

// Record is what every generated entity offers.
type Record interface {
	comparable
	// Selected returns a dynamically selected column.
	Selected(name string) (any, error)
}

// Spec names a resource.
type Spec struct {
	Name     string // task
	Plural   string // tasks, its path
	Table    string // tasks, its table in the database
	ReadOnly bool   // the API only lists and gets
	// Unique are the fields of each unique index: two records of a workspace
	// differ in one of them, or have one that is null.
	Unique [][]string
	// Rules are what every record has to meet, over several fields.
	Rules []Rule
}

// Resource is one resource of the API, whatever its type.
type Resource interface {
	Spec() Spec
	// Fields describes what a client may write.
	Fields() []Field
	// Routes adds the resource's endpoints to the group, which keep within the bounds.
	Routes(group gin.IRoutes, all Resources, bounds Bounds)
	// Create makes a record from a body, by the rules of POST, and returns it as
	// clients see it.
	Create(ctx context.Context, all Resources, body []byte) ([]byte, error)
	// Reader returns what reads bodies by the rules of POST, for Load, one at a time.
	Reader() func(body []byte) (Body, error)
	// Load creates a record from each body, in the viewer's workspace; see
	// LoadError.
	Load(ctx context.Context, all Resources, bodies []Body) error

	known(ctx context.Context, ids []uuid.UUID) ([]uuid.UUID, error)
}

// Resources is every resource of the API.
type Resources []Resource

// Find returns the resource with that plural.
func (all Resources) Find(plural string) (Resource, bool) {
	for _, r := range all {
		if r.Spec().Plural == plural {
			return r, true
		}
	}
	return nil, false
}

// Tables are those of the resources.
func (all Resources) Tables() (tables []string) {
	for _, r := range all {
		tables = append(tables, r.Spec().Table)
	}
	return tables
}

// New makes a resource of its generated calls.
func New[T Record, I Input](spec Spec, calls Calls[T, I]) Resource {
	r := resource[T, I]{spec: spec, calls: calls}
	r.immutable = slices.ContainsFunc(r.Fields(), func(f Field) bool { return f.Immutable })
	return r
}

type resource[T Record, I Input] struct {
	spec      Spec
	calls     Calls[T, I]
	immutable bool // some field is
}

func (r resource[T, I]) Spec() Spec { return r.spec }

func (r resource[T, I]) Fields() []Field { return r.calls.NewInput().Fields() }

func (r resource[T, I]) known(ctx context.Context, ids []uuid.UUID) ([]uuid.UUID, error) {
	return r.calls.Known(ctx, ids)
}

// Routes is the whole table of a resource's endpoints.
func (r resource[T, I]) Routes(group gin.IRoutes, all Resources, bounds Bounds) {
	e := endpoints[T, I]{r, all, bounds}
	list, item := "/"+r.spec.Plural, "/"+r.spec.Plural+"/:id"

	group.GET(list, e.list)
	group.HEAD(list, e.list)
	group.GET(item, e.get)
	group.HEAD(item, e.get)
	if r.spec.ReadOnly {
		return
	}
	group.POST(list, e.create)
	group.PATCH(item, e.update)
	group.DELETE(item, e.delete)
}
