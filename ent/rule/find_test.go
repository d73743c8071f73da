package rule_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"records/ent"
	"records/ent/task"
)

// witness is a driver that keeps what it was asked, without the parentheses that
// Ent puts around conditions.
type witness struct {
	dialect.Driver
	texts []string
}

func (d *witness) Query(ctx context.Context, query string, args, v any) error {
	d.texts = append(d.texts, strings.NewReplacer("(", "", ")", "").Replace(query))
	return d.Driver.Query(ctx, query, args, v)
}

// Find asks for what All asks for, of the rows that the policy leaves: whatever else
// narrows a query narrows it in both.
func TestFindIsAll(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		drv := &witness{Driver: w.db.Driver()}
		client := ent.NewClient(ent.Driver(drv))
		byID := func() *ent.TaskQuery { return client.Task.Query().Match(task.FieldID, w.a.task.ID) }
		for name, query := range map[string]func() *ent.TaskQuery{
			"by id":       byID,
			"by edge too": func() *ent.TaskQuery { return byID().Match(task.FieldProjectID, w.a.project.ID) },
			"by too many": func() *ent.TaskQuery {
				return byID().Match(task.FieldID, w.a.task.ID).Match(task.FieldProjectID, w.b.project.ID)
			},
			"and where":     func() *ent.TaskQuery { return byID().Where(task.Name("b")) },
			"and a limit":   func() *ent.TaskQuery { return byID().Limit(1) },
			"and an offset": func() *ent.TaskQuery { return byID().Offset(1) },
			"and an order":  func() *ent.TaskQuery { return byID().Order(ent.Asc(task.FieldName)) },
			"and unique":    func() *ent.TaskQuery { return byID().Unique(true) },
			"and an edge":   func() *ent.TaskQuery { return byID().WithProject() },
			"cloned":        func() *ent.TaskQuery { return byID().Clone() },
			"and a modifier": func() *ent.TaskQuery {
				q := byID()
				q.Modify(func(s *entsql.Selector) { s.Where(entsql.False()) })
				return q
			},
			"of all": func() *ent.TaskQuery { return client.Task.Query() },
		} {
			for of, ctx := range map[string]context.Context{"a": w.a.ctx, "b": w.b.ctx} {
				drv.texts = nil
				all, err := query().All(ctx)
				asked := drv.texts
				drv.texts = nil
				found, findErr := query().Find(ctx)
				if err != nil || findErr != nil || !slices.Equal(asked, drv.texts) {
					t.Errorf("%s, %s: All asks\n%q, %v, Find\n%q, %v", name, of, asked, err, drv.texts, findErr)
				}
				if !slices.EqualFunc(all, found, same) {
					t.Errorf("%s, %s: All has %v, Find %v", name, of, all, found)
				}
			}
			_, err := query().Find(t.Context())
			denied(t, name+" without a viewer", err)
		}
		// Asked again: by a text that is there already.
		if found, err := byID().Find(w.a.ctx); err != nil || len(found) != 1 || !same(found[0], w.a.task) {
			t.Errorf("its own: %v, %v", found, err)
		}
		if found, err := byID().Find(w.b.ctx); err != nil || len(found) != 0 {
			t.Errorf("of another workspace: %v, %v", found, err)
		}
	})
}

func same(a, b *ent.Task) bool { return a.String() == b.String() }
