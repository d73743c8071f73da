package server_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"records/internal/viewer"
)

// Whatever meets at once, an answer is one that the contract knows, and no
// reference is left to a record that is gone.
func TestWritesThatMeet(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		deal := s.write.Create("deals", smallest("deals"))
		contact := s.write.Create("contacts", smallest("contacts"))
		var group sync.WaitGroup
		try := func(statuses []int, method, path, body string) {
			c := s.Key(t, s.workspace, viewer.Write)
			group.Go(func() {
				var sent any = body
				if body == "" {
					sent = nil
				}
				if r := c.Do(method, path, sent); !slices.Contains(statuses, r.Status) {
					t.Errorf("%s %s %s: %d %s", method, path, body, r.Status, r.Body)
				}
			})
		}
		for range 12 {
			company := s.write.Create("companies", smallest("companies"))
			refer := `"company_id":"` + company + `"`
			s.write.Do("PATCH", "/deals/"+deal, `{`+refer+`,"contact_id":"`+contact+`"}`)
			try([]int{200, 400}, "PATCH", "/deals/"+deal, `{`+refer+`}`)
			try([]int{200, 400}, "PATCH", "/contacts/"+contact, `{`+refer+`}`)
			try([]int{200}, "DELETE", "/companies/"+company, "")
			try([]int{201, 400}, "POST", "/deals", `{"title":"b",`+refer+`}`)
			try([]int{200}, "PATCH", "/deals/"+deal, `{"stage":"c"}`)
			try([]int{200, 404}, "PATCH", "/companies/"+company, `{"name":"d"}`)
			try([]int{200, 400}, "PATCH", "/deals/"+deal, `{`+refer+`,"contact_id":"`+contact+`"}`)
			group.Wait()
			if r := s.read.Do("GET", "/companies/"+company, nil); r.Status != 404 {
				t.Errorf("a deleted company: %d %s", r.Status, r.Body)
			}
			for _, plural := range []string{"deals", "contacts"} {
				for _, record := range s.read.Do("GET", "/"+plural+"?limit=200", nil).JSON(t)["data"].([]any) {
					if got := record.(map[string]any)["company_id"]; got != nil {
						t.Errorf("%s: a reference to the deleted company: %v", plural, record)
					}
				}
			}
		}
	})
}

// Ids made at once are all different, and lists stay in the order of ids.
func TestCreatesAtOnce(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		var group sync.WaitGroup
		for i := range 60 {
			group.Go(func() { s.write.Create("tasks", map[string]any{"name": fmt.Sprint(i)}) })
		}
		group.Wait()
		ids := readList(t, s.read.Do("GET", "/tasks?limit=200", nil)).ids()
		sorted := slices.Sorted(slices.Values(ids))
		slices.Reverse(sorted)
		if len(slices.Compact(slices.Clone(sorted))) != 60 || !slices.Equal(ids, sorted) {
			t.Errorf("%d ids, in order: %v", len(ids), slices.Equal(ids, sorted))
		}
	})
}
