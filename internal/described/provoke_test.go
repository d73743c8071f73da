package described

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"records/ent"
	"records/internal/database"
	"records/internal/servertest"
	"records/internal/viewer"
)

// provoke sends the request that must fail in this way.
func (w world) provoke(t *testing.T, who tenant, o described, failure string, broken *atomic.Pointer[error]) servertest.Response {
	t.Helper()
	path := strings.ReplaceAll(o.path, "{id}", absent)
	switch failure {
	case "400 invalid_json":
		return who.write.Do(o.method, path, "")
	case "400 invalid_parameter":
		return who.write.Do(o.method, path+map[bool]string{true: "?limit=0", false: "?expand=x"}[strings.HasPrefix(o.OperationID, "list")], o.body())
	case "400 validation_failed":
		return who.write.Do(o.method, path, w.faulty(t, o))
	case "400 invalid_reference":
		return w.lost(t, who, o)
	case "401 unauthorized":
		return w.Anonymous(t).Do(o.method, path, o.body())
	case "403 read_only_key":
		return who.read.Do(o.method, path, o.body())
	case "404 not_found":
		return who.write.Do(o.method, path, o.body())
	case "409 conflict":
		return w.clash(t, who, o)
	case "413 payload_too_large":
		return who.write.Do(o.method, path, strings.Repeat(" ", 1<<20+1))
	case "415 unsupported_media_type":
		return who.write.Do(o.method, path, "{}", "Content-Type", "text/plain")
	case "default no_such_path":
		return who.write.Do(o.method, path+"/no/such/path", o.body())
	case "default method_not_allowed":
		return who.write.Do("PUT", path, nil)
	}
	cause, ok := map[string]error{
		"500 internal_error": errors.New("a fault"), "503 unavailable": context.DeadlineExceeded, "503 outcome_unknown": database.ErrOutcomeUnknown,
	}[failure]
	if !ok {
		t.Fatalf("nothing provokes %s", failure)
	}
	broken.Store(&cause)
	defer broken.Store(nil)
	if o.method == "POST" {
		return who.write.Do(o.method, path, w.plain(t, o.plural))
	}
	if o.method == "PATCH" {
		return who.write.Do(o.method, path, w.change(t, o))
	}
	return who.write.Do(o.method, path, nil)
}

// breakable makes the database fail with the error, for those who have a key.
func (w world) breakable() *atomic.Pointer[error] {
	var broken atomic.Pointer[error]
	fault := func(ctx context.Context) error {
		if _, asked := viewer.FromContext(ctx); asked && broken.Load() != nil {
			return *broken.Load()
		}
		return nil
	}
	w.Ent.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if err := fault(ctx); err != nil {
				return nil, err
			}
			return next.Mutate(ctx, m)
		})
	})
	w.Ent.Intercept(ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, q ent.Query) (ent.Value, error) {
			if err := fault(ctx); err != nil {
				return nil, err
			}
			return next.Query(ctx, q)
		})
	}))
	return &broken
}
