package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"records/internal/servertest"
)

// plurals are the resources of the API.
var plurals = []string{"tasks", "projects", "deals", "contacts", "companies", "invoices"}

type list struct {
	Data   []struct{ ID string }
	Limit  int
	Offset int
	Count  int
}

func readList(t *testing.T, r servertest.Response) (l list) {
	t.Helper()
	if err := json.Unmarshal(r.Body, &l); err != nil || r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return l
}

func (l list) ids() (ids []string) {
	for _, record := range l.Data {
		ids = append(ids, record.ID)
	}
	return ids
}

func TestListOfNothing(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		s.stranger.Create("tasks", map[string]any{"name": "of another workspace"})
		for _, plural := range plurals {
			for _, c := range []*servertest.Client{s.write, s.read} {
				r := c.Do("GET", "/"+plural, nil)
				wantBody(t, plural, r, 200, `{"data":[],"limit":50,"offset":0,"count":0}`)
			}
			r := s.write.Do("GET", "/"+plural+"?limit=7&offset=9223372036854775807", nil)
			wantBody(t, plural, r, 200, `{"data":[],"limit":7,"offset":9223372036854775807,"count":0}`)
		}
	})
}

func TestListOrderAndPages(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		var newestFirst []string
		for i := range 55 {
			newestFirst = slices.Insert(newestFirst, 0, s.write.Create("contacts", map[string]any{"name": fmt.Sprint(i)}))
			s.stranger.Create("contacts", map[string]any{"name": "of another workspace"})
		}
		for query, want := range map[string]struct{ limit, offset, from, to int }{
			"":                                      {50, 0, 0, 50},
			"?":                                     {50, 0, 0, 50},
			"?limit=1":                              {1, 0, 0, 1},
			"?limit=200":                            {200, 0, 0, 55},
			"?offset=0":                             {50, 0, 0, 50},
			"?offset=50":                            {50, 50, 50, 55},
			"?limit=10&offset=48":                   {10, 48, 48, 55},
			"?offset=5&limit=10":                    {10, 5, 5, 15},
			"?%6cimit=3&offset=%31":                 {3, 1, 1, 4},
			"?offset=54":                            {50, 54, 54, 55},
			"?offset=55":                            {50, 55, 55, 55},
			"?offset=1000000":                       {50, 1000000, 55, 55},
			"?limit=200&offset=9223372036854775807": {200, 1<<63 - 1, 55, 55},
		} {
			r := s.read.Do("GET", "/contacts"+query, nil)
			l := readList(t, r)
			if l.Limit != want.limit || l.Offset != want.offset || l.Count != 55 || !slices.Equal(l.ids(), newestFirst[want.from:want.to]) {
				t.Errorf("%s: %s", query, r.Body)
			}
			if want.from == want.to {
				wantBody(t, query, r, 200, fmt.Sprintf(`{"data":[],"limit":%d,"offset":%d,"count":55}`, want.limit, want.offset))
			}
		}
	})
}

// The members of a list, and of each record in it those of a get.
func TestListEnvelope(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		first := s.write.Do("POST", "/deals", `{"title":"a"}`)
		second := s.write.Do("POST", "/deals", `{"title":"b","value":0.10}`)
		wantBody(t, "list", s.read.Do("GET", "/deals", nil), 200,
			fmt.Sprintf(`{"data":[%s,%s],"limit":50,"offset":0,"count":2}`, second.Body, first.Body))
		wantBody(t, "list", s.read.Do("GET", "/deals?limit=1&offset=1", nil), 200,
			fmt.Sprintf(`{"data":[%s],"limit":1,"offset":1,"count":2}`, first.Body))
	})
}

func TestListParameters(t *testing.T) {
	long := strings.Repeat("9", 5000)
	onEachKind(t, func(t *testing.T, s service) {
		s.write.Create("tasks", map[string]any{"name": "a"})
		for query, names := range map[string]string{
			"limit=0": "limit", "limit=-1": "limit", "limit=201": "limit", "limit=+5": "limit", "limit=%2B5": "limit",
			"limit=007": "limit", "limit=00": "limit", "limit=": "limit", "limit": "limit", "limit=five": "limit",
			"limit=5.0": "limit", "limit=1e1": "limit", "limit=0x10": "limit", "limit=1_0": "limit", "limit=5%20": "limit",
			"limit=%205": "limit", "limit=5+": "limit", "limit=%D9%A5": "limit", "limit=%EF%BC%95": "limit", "limit=5%00": "limit",
			"limit=18446744073709551617": "limit", "limit=" + long: "limit", "limit=null": "limit", "limit=5,6": "limit",
			"limit=5&limit=5": "limit", "limit=5&limit=6": "limit", "limit=5&%6cimit=5": "limit", "limit[]=5": "limit[]", "Limit=5": "Limit",
			"offset=-1": "offset", "offset=-0": "offset", "offset=+0": "offset", "offset=01": "offset", "offset=": "offset", "offset": "offset",
			"offset=9223372036854775808": "offset", "offset=18446744073709551616": "offset", "offset=" + long: "offset",
			"offset=1.5": "offset", "offset=x": "offset", "offset=1&offset=1": "offset", "offset=%E2%82%81": "offset", "OFFSET=1": "OFFSET",
			"page=2": "page", "limit=5&sort=name": "sort", "status=open": "status", "workspace_id=1": "workspace_id", "=1": "", "=": "",
			"limit=5;offset=1": "", "limit=%zz": "", "limit=%": "", "%ff=1": "", "limit=5&?": "?",
		} {
			r := s.write.Do("GET", "/tasks?"+query, nil)
			wantError(t, query[:min(len(query), 60)], r, 400, "invalid_parameter", names)
		}
		for _, query := range []string{"&", "&&limit=1", "limit=1&"} { // nothing is given twice, empty or unknown
			wantStatus(t, query, s.write.Do("GET", "/tasks?"+query, nil), 200)
		}
	})
}

// No operation but a list has a query, not even an empty parameter.
func TestUnknownParameterEverywhere(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for _, plural := range plurals {
			one := "/" + plural + "/0190163d-8694-739b-aea5-966c26f8ad90"
			wantError(t, plural, s.read.Do("GET", one+"?limit=1", nil), 400, "invalid_parameter", `"limit"`)
			wantError(t, plural, s.read.Do("GET", "/"+plural+"?q=1", nil), 400, "invalid_parameter", `"q"`)
			if plural == "invoices" {
				continue
			}
			body := smallest(plural)
			wantError(t, plural, s.write.Do("POST", "/"+plural+"?dry_run=1", body), 400, "invalid_parameter", `"dry_run"`)
			wantError(t, plural, s.write.Do("PATCH", one+"?a", body), 400, "invalid_parameter", `"a"`)
			wantError(t, plural, s.write.Do("DELETE", one+"?force=true", nil), 400, "invalid_parameter", `"force"`)
			wantError(t, plural, s.write.Do("DELETE", "/"+plural+"/x?_method=GET", nil), 400, "invalid_parameter", `"_method"`)
			wantBody(t, plural, s.read.Do("GET", "/"+plural, nil), 200, `{"data":[],"limit":50,"offset":0,"count":0}`)
		}
		wantError(t, "description", s.anonymous.Do("GET", "/openapi.json?v=1", nil), 400, "invalid_parameter", `"v"`)
	})
}

var saneJSON = regexp.MustCompile(`^\{"data":\[.*\],"limit":\d+,"offset":\d+,"count":\d+\}$`)

// A page and its count are of one moment, whatever is written meanwhile.
func TestCountAgreesWithPage(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		done := make(chan struct{})
		for range 2 {
			writer := s.Key(t, s.workspace, "write")
			go func() {
				defer func() { done <- struct{}{} }()
				for i := range 40 {
					id := writer.Create("companies", map[string]any{"name": fmt.Sprint(i)})
					if i%3 > 0 {
						writer.Do("DELETE", "/companies/"+id, nil)
					}
				}
			}()
		}
		for running := 2; running > 0; {
			select {
			case <-done:
				running--
			default:
			}
			for _, offset := range []int{0, 3, 1000} {
				r := s.read.Do("GET", fmt.Sprintf("/companies?limit=200&offset=%d", offset), nil)
				l := readList(t, r)
				if !saneJSON.Match(r.Body) || len(l.Data) != max(0, l.Count-offset) {
					t.Errorf("offset %d: %d records, count %d", offset, len(l.Data), l.Count)
				}
			}
		}
		if l := readList(t, s.read.Do("GET", "/companies?limit=1", nil)); l.Count != 2*14 {
			t.Errorf("count %d in the end, want 28", l.Count)
		}
	})
}
