package load_test

import (
	"testing"

	entrest "records/ent/rest"
	"records/internal/load"
)

func TestDemo(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		n, err := load.Demo(f.ctx, f.client)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, r := range entrest.Resources(nil) {
			var got int
			err := f.db.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM "+r.Spec().Table).Scan(&got)
			if err != nil || got == 0 {
				t.Errorf("%d %s, %v", got, r.Spec().Plural, err)
			}
			total += got
		}
		if total != n {
			t.Errorf("it says that it made %d records of %d", n, total)
		}
		for _, task := range f.tasks(t) {
			if task.ProjectID == nil || task.AssigneeID == nil || task.DueDate == nil {
				t.Errorf("not believable: %v", task)
			}
		}
		if other, err := f.client.Task.Query().Count(newWorkspace(t, f.client)); err != nil || other != 0 {
			t.Errorf("%d records in another workspace, %v", other, err)
		}
	})
}

// Every field has an example that its own resource accepts.
func TestExamplesAreComplete(t *testing.T) {
	t.Parallel()
	made := map[string][]string{}
	for _, resource := range entrest.Resources(nil) {
		made[resource.Spec().Plural] = []string{"an id"}
	}
	for _, resource := range entrest.Resources(nil) {
		body := load.Example(resource, 0, made)
		for _, f := range resource.Fields() {
			if _, ok := body[f.Name]; !ok {
				t.Errorf("%s has no example of %s", resource.Spec().Plural, f.Name)
			}
		}
	}
}
