package rule_test

import (
	"context"
	"fmt"
	"testing"

	"entgo.io/ent/dialect/sql"

	"records/ent"
	"records/ent/recordcount"
	"records/ent/rule"
	"records/internal/rest"
)

// Whatever is asked about the counts, only those of the viewer's workspace
// answer, and a row that someone has planted for another is out of reach.
func TestCountsAreOnesOwn(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		if _, err := w.db.SQL().ExecContext(t.Context(), fmt.Sprintf("INSERT INTO record_counts (workspace_id, resource, slot, n) VALUES ('%s', 'tasks', 77, 1000)", w.b.id)); err != nil {
			t.Fatal(err)
		}
		own := w.rows(t, fmt.Sprintf("SELECT count(*), sum(n) FROM record_counts WHERE workspace_id = '%s'", w.a.id))[0]
		for name, narrow := range map[string]func(q *ent.RecordCountQuery){
			"all":           func(*ent.RecordCountQuery) {},
			"a slot or any": func(q *ent.RecordCountQuery) { q.Where(recordcount.Or(recordcount.IDGTE(-9), recordcount.ID(77))) },
			"a raw or": func(q *ent.RecordCountQuery) {
				q.Where(func(s *sql.Selector) { s.Where(sql.ExprP("1 = 1 OR 1 = 1")) })
			},
			"what ends in an or": func(q *ent.RecordCountQuery) {
				q.Where(func(s *sql.Selector) { s.Where(sql.NotNull(s.C("n"))).Or() }) //nolint:forbidigo // what a hostile predicate would do
			},
			"a modifier":             func(q *ent.RecordCountQuery) { q.Modify(func(s *sql.Selector) { s.SetP(nil) }) },
			"an order that modifies": func(q *ent.RecordCountQuery) { q.Order(func(s *sql.Selector) { s.SetP(sql.ExprP("1 = 1")) }) },
		} {
			q := w.client.RecordCount.Query()
			narrow(q)
			n, sum := 0, int64(0)
			for _, c := range q.AllX(w.a.ctx) {
				n, sum = n+1, sum+c.N
				if c.WorkspaceID != w.a.id {
					t.Errorf("%s: a count of another workspace: %v", name, c)
				}
			}
			if got := []string{fmt.Sprint(n), fmt.Sprint(sum)}; fmt.Sprint(got) != fmt.Sprint(own) {
				t.Errorf("%s: %v, want %v", name, got, own)
			}
		}
		for name, q := range map[string]*ent.RecordCountQuery{
			"the other's workspace": w.client.RecordCount.Query().Where(recordcount.WorkspaceID(w.b.id)),
			"the planted slot":      w.client.RecordCount.Query().Where(recordcount.ID(77)),
		} {
			if n := q.CountX(w.a.ctx); n != 0 {
				t.Errorf("%s: %d counts", name, n)
			}
		}
		_, err := w.client.RecordCount.Query().QueryWorkspace().All(w.a.ctx)
		denied(t, "QueryWorkspace of a count", err)
	})
}

// The count in a page's statement comes from the viewer's workspace, whatever the
// rest of the statement asks for, and without a viewer there is none: not even for
// an operator, whom no policy holds.
func TestCountOfAPageFailsClosed(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		total := func(ctx context.Context, skip int) (any, error) {
			q := w.client.Task.Query().Where(rest.Skip("tasks", skip))
			q.Modify(rest.SelectCount("tasks"))
			first, err := q.First(ctx)
			if err != nil {
				return nil, err
			}
			return first.Selected(rest.CountColumn)
		}
		for _, skip := range []int{0, 1} {
			for range 3 { // b has more than a
				w.client.Task.Create().SetName("one more").SaveX(w.b.ctx)
			}
			for _, p := range []party{w.a, w.b} {
				got, err := total(p.ctx, skip)
				if want := int64(w.client.Task.Query().CountX(p.ctx)); err != nil || got != want {
					t.Errorf("skipping %d: %v, %v, want %d", skip, got, err, want)
				}
			}
			if got, err := total(rule.AsOperator(t.Context()), skip); err == nil {
				t.Errorf("skipping %d, an operator without a workspace reads the count %v", skip, got)
			}
			_, err := total(t.Context(), skip)
			denied(t, "no viewer", err)
		}
	})
}
