package rule_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"entgo.io/ent/privacy"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/recordcount"
	"records/internal/viewer"
)

// call calls a method by name, and returns what it returns.
func call(v reflect.Value, name string, args ...any) []reflect.Value {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	return v.MethodByName(name).Call(in)
}

// failure calls a method and returns the error that it returns last.
func failure(v reflect.Value, name string, args ...any) error {
	out := call(v, name, args...)
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// idOf is an id of the type that a schema's is of, and the column it stands in.
func idOf(c reflect.Value) (id any, column string) {
	switch t := c.MethodByName("DeleteOneID").Type().In(0); t {
	case reflect.TypeFor[uuid.UUID]():
		return uuid.New(), "id"
	default:
		return reflect.Zero(t).Interface(), recordcount.FieldID
	}
}

// reads is the outcome of every operation that reads, of one schema's client.
func reads(ctx context.Context, c reflect.Value) map[string]error {
	id, column := idOf(c)
	all := map[string]error{
		"Get":       failure(c, "Get", ctx, id),
		"GroupBy":   failure(call(call(c, "Query")[0], "GroupBy", column)[0], "Strings", ctx),
		"Aggregate": failure(call(call(c, "Query")[0], "Aggregate", ent.Count())[0], "Ints", ctx),
		"Select":    failure(call(call(c, "Query")[0], "Select", column)[0], "Strings", ctx),
	}
	for _, name := range []string{"All", "IDs", "Count", "Exist", "First", "FirstID", "Only", "OnlyID"} {
		all[name] = failure(call(c, "Query")[0], name, ctx)
	}
	return all
}

// writes is the outcome of every operation that writes.
func writes(ctx context.Context, c reflect.Value) map[string]error {
	id, _ := idOf(c)
	entity := reflect.New(c.MethodByName("UpdateOne").Type().In(0).Elem()).Interface()
	return map[string]error{
		"Create":      failure(call(c, "Create")[0], "Exec", ctx),
		"CreateBulk":  failure(call(c, "CreateBulk", call(c, "Create")[0].Interface())[0], "Exec", ctx),
		"Update":      failure(call(c, "Update")[0], "Exec", ctx),
		"Returning":   failure(call(c, "Update")[0], "SaveReturning", ctx),
		"UpdateOne":   failure(call(c, "UpdateOne", entity)[0], "Exec", ctx),
		"UpdateOneID": failure(call(c, "UpdateOneID", id)[0], "Exec", ctx),
		"Delete":      failure(call(c, "Delete")[0], "Exec", ctx),
		"DeleteOne":   failure(call(c, "DeleteOne", entity)[0], "Exec", ctx),
		"DeleteOneID": failure(call(c, "DeleteOneID", id)[0], "Exec", ctx),
	}
}

func allDenied(t *testing.T, what string, outcomes map[string]error) {
	t.Helper()
	for op, err := range outcomes {
		denied(t, what+" "+op, err)
	}
}

// Without a viewer, or with one that has no workspace, nothing of any schema
// can be read or written, a transaction's client included.
func TestNoViewer(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.unchanged(t, func() {
			for name, ctx := range map[string]context.Context{
				"no viewer":        t.Context(),
				"no workspace":     as(t, uuid.Nil, viewer.Write),
				"a viewer's scope": viewer.NewContext(t.Context(), viewer.Viewer{Key: uuid.New(), Scope: viewer.Write}),
				"not even a scope": viewer.NewContext(t.Context(), viewer.Viewer{}),
			} {
				for schema, c := range schemas(w.client) {
					allDenied(t, name+": "+schema, reads(ctx, c))
					allDenied(t, name+": "+schema, writes(ctx, c))
				}
			}
			inTx(t, w, func(client *ent.Client) {
				for schema, c := range schemas(client) {
					allDenied(t, "in a transaction: "+schema, writes(t.Context(), c))
				}
			})
		})
	})
}

// A viewer who may only read is denied every write at the mutation, and so is
// one whose scope is none that there is. Reading is theirs.
func TestReadScope(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		before := w.dump(t, w.a.id)
		for _, scope := range []viewer.Scope{viewer.Read, "", "admin", "Write"} {
			ctx := as(t, w.a.id, scope)
			for schema, c := range schemas(w.client) {
				allDenied(t, string(scope)+": "+schema, writes(ctx, c))
				if !isRecord(schema) {
					continue
				}
				for op, err := range reads(ctx, c) {
					if errors.Is(err, privacy.Deny) {
						t.Errorf("%s: %s %s is denied", scope, schema, op)
					}
				}
			}
			denied(t, "a whole create", w.client.Task.Create().SetName("x").Exec(ctx))
		}
		if w.dump(t, w.a.id) != before {
			t.Error("a denied write changed something")
		}
	})
}

// What is no record (workspaces, keys) is out of every viewer's reach, their
// own included, also by the edges that lead there. The counts of their records
// they may read: see TestCountsAreOnesOwn.
func TestOperatorOnly(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for schema, c := range schemas(w.client) {
			if isRecord(schema) {
				continue
			}
			if schema != "RecordCount" {
				allDenied(t, schema, reads(w.a.ctx, c))
			}
			allDenied(t, schema, writes(w.a.ctx, c))
		}
		_, err := w.client.Task.Query().WithWorkspace().All(w.a.ctx)
		denied(t, "WithWorkspace", err)
		_, err = w.client.Task.Query().QueryWorkspace().All(w.a.ctx)
		denied(t, "QueryWorkspace", err)
		_, err = w.a.task.QueryWorkspace().All(w.a.ctx)
		denied(t, "QueryWorkspace of an entity", err)
	})
}
