package rule_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	entgo "entgo.io/ent"

	"records/ent"
	"records/ent/task"
)

// What an update returns is what a query finds afterwards: of every schema, every
// field of every record of the workspace, and nothing else.
func TestUpdateReturnsWhatIsThere(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for schema, c := range schemas(w.client) {
			if !isRecord(schema) {
				continue
			}
			w.unchanged(t, func() {
				out := call(call(c, "Update")[0], "SaveReturning", w.a.ctx)
				if err, _ := out[1].Interface().(error); err != nil {
					t.Fatalf("%s: %v", schema, err)
				}
				found := call(call(c, "Query")[0], "AllX", w.a.ctx)
				got, want := lines(out[0].Interface()), lines(found[0].Interface())
				if got == "" || got != want {
					t.Errorf("%s: an update returned\n%s\na query found\n%s", schema, got, want)
				}
			})
		}
	})
}

// lines are records as Ent prints them, in the order of their text.
func lines(records any) string {
	all := strings.SplitAfter(strings.Trim(fmt.Sprint(records), "[]"), ") ")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// The hooks of an update run, once, and what they set is in what is returned.
func TestUpdateReturnsWhatHooksSet(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		ran := 0
		w.client.Task.Use(func(next ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(ctx context.Context, m entgo.Mutation) (entgo.Value, error) {
				ran++
				m.(*ent.TaskMutation).SetStatus("hooked")
				return next.Mutate(ctx, m)
			})
		})
		got, err := w.client.Task.Update().Where(task.ID(w.a.task.ID)).SetName("named").SaveReturning(w.a.ctx)
		if err != nil || len(got) != 1 || got[0].Name != "named" || got[0].Status == nil || *got[0].Status != "hooked" || ran != 1 {
			t.Errorf("%v, %v, the hook ran %d times", got, err, ran)
		}
		if n := got[0].QueryProject().CountX(w.a.ctx); n != 1 {
			t.Errorf("the record returned has %d projects", n)
		}
	})
}
