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
		for name, count := range map[string]func() (int, error){
			"companies": func() (int, error) { return f.client.Company.Query().Count(f.ctx) },
			"contacts":  func() (int, error) { return f.client.Contact.Query().Count(f.ctx) },
			"deals":     func() (int, error) { return f.client.Deal.Query().Count(f.ctx) },
			"invoices":  func() (int, error) { return f.client.Invoice.Query().Count(f.ctx) },
			"projects":  func() (int, error) { return f.client.Project.Query().Count(f.ctx) },
			"tasks":     func() (int, error) { return f.client.Task.Query().Count(f.ctx) },
		} {
			got, err := count()
			if err != nil || got < 3 {
				t.Errorf("%d %s, %v", got, name, err)
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
	for _, resource := range entrest.Resources(nil) {
		body := load.Example(resource, 0, map[string][]string{"companies": {"c"}, "contacts": {"p"}, "deals": {"d"}, "projects": {"p"}})
		for _, f := range resource.Fields() {
			if _, ok := body[f.Name]; !ok {
				t.Errorf("%s has no example of %s", resource.Spec().Plural, f.Name)
			}
		}
	}
}
