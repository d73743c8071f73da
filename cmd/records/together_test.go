package main_test

import (
	"regexp"
	"sync"
	"testing"
)

// Workspaces whose names begin alike, or differ in the case of a letter, are not one
// another: records and keys land in the one that is named to the letter.
func TestWorkspaceOfASimilarName(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.file("tasks.ndjson", "{\"name\":\"a\"}\n")
		others := []key{p.key("Acme Ltd", "read"), p.key("ACME", "read"), p.key("The Acme", "read")}
		own := p.key("Acme", "read")
		p.ok("import", "tasks", "tasks.ndjson", "--workspace", "Acme")
		for _, none := range []string{"Ac", "acme", "Acme%", "Acme "} {
			p.fails("there is no workspace \""+none+"\"; make it with `records workspace create`", "import", "tasks", "tasks.ndjson", "--workspace", none)
		}
		s := p.serve()
		defer s.stop()
		if list := s.status(200, "GET", "/api/v1/tasks", own.Token, ""); !contains(list, `"count":1}`) {
			t.Errorf("the workspace that was named has %s", list)
		}
		for _, k := range others {
			if list := s.status(200, "GET", "/api/v1/tasks", k.Token, ""); k.Workspace == own.Workspace || !contains(list, `"count":0}`) {
				t.Errorf("another has %s", list)
			}
		}
	})
}

// Of several seeds at once one makes the demo workspace, and the others find it.
func TestSeedsAtOnce(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.ok("workspace", "list") // migrated
		var all sync.WaitGroup
		made := make([]struct{ Created int }, 3)
		for i := range made {
			all.Go(func() { p.json(&made[i], "seed") })
		}
		all.Wait()
		seeds := 0
		for _, m := range made {
			if m.Created > 0 {
				seeds++
			}
		}
		if seeds != 1 {
			t.Errorf("%d of them made it: %v", seeds, made)
		}
	})
}

// Times in JSON have the API's form: UTC and milliseconds, all three digits.
func TestTimesHaveMilliseconds(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.ok("workspace", "create", "Acme")
		form := regexp.MustCompile(`"(created_at|expires_at)":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`)
		out := p.ok("key", "create", "--workspace", "Acme", "--name", "k", "--scope", "read", "--expires", "2099-01-01T00:00:00.5Z", "--json")
		if len(form.FindAllString(out, -1)) != 2 {
			t.Error(out)
		}
		p.fails("expires must be in the future", "key", "create", "--workspace", "Acme", "--name", "k", "--scope", "read", "--expires", "-1h")
		p.failsWith("expires must be a moment", "key", "create", "--workspace", "Acme", "--name", "k", "--scope", "read", "--expires", "")
	})
}
