package developer_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/internal/developer"
	"records/internal/servertest"
)

// actor is somebody who tries everything.
type actor struct {
	name    string
	is      least // in the own workspace
	browser *servertest.Browser
	bearer  string // an API key that is sent along
}

// TestAuthorisation tries every route as everybody, with every id that can stand in its path.
// It is generated from the table of routes: one that the matrix does not know fails
// the test.
func TestAuthorisation(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		m := newMatrix(t, a)
		for _, route := range routes(t) {
			e, known := matrix[strings.Replace(route, "HEAD ", "GET ", 1)]
			if !known {
				t.Errorf("nobody has said who may do %s: add it to matrix in matrix_table_test.go with the least role that may, the answer to those and, for a POST, its form; an id of a new kind in its path goes into things", route)
				continue
			}
			method, path, _ := strings.Cut(route, " ")
			m.tryOwn(t, method, path, e)
			m.tryForeign(t, method, path, e)
		}
	})
}

// routes are all of the area, as "GET /path".
func routes(t *testing.T) (all []string) {
	t.Helper()
	area, err := developer.New(developer.Options{URL: "http://127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	area.Routes(e)
	for _, r := range e.Routes() {
		all = append(all, r.Method+" "+r.Path)
	}
	slices.Sort(all)
	return all
}

// things are what the parameters of paths name, by the parameter.
type things map[string]string

// fill puts them into a path.
func (th things) fill(t *testing.T, path string) string {
	t.Helper()
	return regexp.MustCompile(`:\w+`).ReplaceAllStringFunc(path, func(parameter string) string {
		id, known := th[parameter[1:]]
		if !known {
			t.Fatalf("%s: nobody has said what %s can be: add it to things", path, parameter)
		}
		return id
	})
}

// with are the same, but for one.
func (th things) with(parameter, id string) things {
	other := things{}
	for p := range th {
		other[p] = th[p]
	}
	other[parameter] = id
	return other
}

// answered sends a request as somebody.
func (m *matrixWorld) answered(who actor, method, path string, e entry) servertest.Response {
	header, sent := http.Header{}, url.Values(nil)
	if method == http.MethodPost {
		header, sent = http.Header{"Origin": {m.URL}, "Sec-Fetch-Site": {"same-origin"}}, url.Values{}
		if e.form != nil {
			sent = e.form()
		}
	}
	if who.bearer != "" {
		header.Set("Authorization", "Bearer "+who.bearer)
	}
	return who.browser.Do(method, path, sent, header)
}

// want is the status that somebody gets for a route about their own things.
func (e entry) want(who actor) int {
	switch {
	case e.least == anyone:
		return e.status
	case who.is == anyone:
		return http.StatusSeeOther // to sign in
	case e.least <= who.is:
		return e.status
	case who.is == signedIn:
		return http.StatusNotFound // a member of another workspace
	}
	return http.StatusForbidden
}

// tryOwn tries a route about the own workspace and what is in it. Whom it is not
// for changes nothing at all, and nobody changes anything of the other workspace.
func (m *matrixWorld) tryOwn(t *testing.T, method, path string, e entry) {
	t.Helper()
	for _, who := range m.actors {
		if e.least == anyone && who.is != anyone {
			continue
		}
		target := m.own(t, who).fill(t, path)
		before := m.dump(t)
		r := m.answered(who, method, target, e)
		what := fmt.Sprintf("%s %s by %s", method, path, who.name)
		if want := e.want(who); r.Status != want || (want == http.StatusSeeOther && e.least > anyone && (r.Header.Get("Location") == "/sign-in") != (who.is == anyone)) {
			t.Errorf("%s: %d to %q, want %d: %s", what, r.Status, r.Header.Get("Location"), want, text(r))
		}
		m.silent(t, what, who, r)
		m.unchanged(t, what, before, e.least > who.is || method != http.MethodPost)
	}
}

// tryForeign tries a route about another workspace, and about its things as if
// they were one's own: both are answered as what there is not.
func (m *matrixWorld) tryForeign(t *testing.T, method, path string, e entry) {
	t.Helper()
	parameters := regexp.MustCompile(`:(\w+)`).FindAllStringSubmatch(path, -1)
	if e.least == anyone || len(parameters) == 0 {
		return
	}
	last := parameters[len(parameters)-1][1]
	for _, who := range m.actors {
		if who.is == signedIn {
			continue // to whom what is tried here as foreign is their own
		}
		own := m.own(t, who)
		before := m.dump(t)
		same := func(what string, foreign, absent things) {
			t.Helper()
			what = fmt.Sprintf("%s %s by %s: %s", method, path, who.name, what)
			f, n := m.answered(who, method, foreign.fill(t, path), e), m.answered(who, method, absent.fill(t, path), e)
			want := http.StatusNotFound
			if who.is == anyone {
				want = http.StatusSeeOther
			}
			if f.Status != want && (f.Status != http.StatusForbidden || who.is >= e.least) {
				t.Errorf("%s: %d, want %d: %s", what, f.Status, want, text(f))
			}
			if got, want := plain(f), plain(n); got != want {
				t.Errorf("%s: foreign %s\nabsent %s", what, got, want)
			}
			m.silent(t, what, who, f)
		}
		if parameters[0][1] == "workspace" {
			same("another workspace", m.foreign, m.foreign.with("workspace", uuid.NewString()))
			same("a malformed workspace", own.with("workspace", "x"), own.with("workspace", uuid.NewString()))
		}
		if last != "workspace" {
			same("another's "+last, own.with(last, m.foreign[last]), own.with(last, uuid.NewString()))
			same("a malformed "+last, own.with(last, "x"), own.with(last, uuid.NewString()))
		}
		m.unchanged(t, path+" by "+who.name, before, true)
	}
}

// plain is an answer without what differs by chance and the ids that were sent.
func plain(r servertest.Response) string {
	ids := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|/x\b`)
	return ids.ReplaceAllString(fmt.Sprint(r.Status, " ", r.Header.Get("Location"), "\n", string(r.Body)), "ID")
}

// silent fails the test if an answer tells a name of a workspace that is not the
// one of who asks.
func (m *matrixWorld) silent(t *testing.T, what string, who actor, r servertest.Response) {
	t.Helper()
	secrets := m.foreignNames
	if who.is == signedIn {
		secrets = m.ownNames
	}
	for _, secret := range secrets {
		if told := fmt.Sprint(r.Header, string(r.Body)); strings.Contains(told, secret) {
			t.Errorf("%s: it tells %q: %s", what, secret, told)
		}
	}
}
