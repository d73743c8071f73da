package server_test

import (
	"strings"
	"testing"
	"time"

	"records/ent/auditevent"
	"records/ent/rule"
	"records/internal/apikey"
	"records/internal/servertest"
	"records/internal/viewer"
)

const unauthorized = `{"error":"unauthorized","message":"Send a valid API key as Authorization: Bearer <API_KEY>."}`

// want401 fails the test unless the answer is the one there is for every
// missing or invalid key.
func want401(t *testing.T, what string, r servertest.Response) {
	t.Helper()
	wantBody(t, what, r, 401, unauthorized)
	if got := r.Header.Values("WWW-Authenticate"); len(got) != 1 || got[0] != "Bearer" {
		t.Errorf("%s: WWW-Authenticate %q", what, got)
	}
}

func TestUnauthorized(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		token := s.write.Token
		last := map[bool]string{true: "1", false: "0"}[strings.HasSuffix(token, "0")]
		for _, given := range []string{
			"", "Bearer", "Bearer ", token, "Basic " + token, "Token " + token, "Bearer:" + token, "Bearer=" + token, "Bearer" + token, "Bearer\t" + token, "Bearer, " + token, "Bearer Bearer " + token,
			"Bearer " + token[:len(token)-1], "Bearer " + token[:len(token)-1] + last, "Bearer " + token + "a", "Bearer " + token + " a", "Bearer " + token + ",", "Bearer " + token + ", Bearer " + token, "Bearer a" + token, "Bearer " + strings.ToUpper(token), "Bearer " + strings.ToLower(token),
			`Bearer "` + token + `"`, "Bearer " + strings.TrimPrefix(token, "wrk_"), "Bearer wrk_", "Bearer wrk_" + strings.Repeat("0", 36), "Bearer null", "Bearer " + s.write.ID.String(), "Bearer \xff", "Bearer é", "Bearer " + strings.Repeat("a", 20_000), "Bearer %00", "Bearer ' OR 1=1 --",
			"Bearer " + unknownToken(t, s),
		} {
			for _, at := range []string{"GET /tasks", "POST /tasks", "GET /tasks/" + person, "PATCH /tasks/" + person, "DELETE /tasks/" + person, "GET /nothing", "PUT /tasks", "GET /invoices", "GET ", "GET /tasks?limit=0", "POST /openapi.json"} {
				method, path, _ := strings.Cut(at, " ")
				want401(t, at+" with "+given[:min(len(given), 60)], s.anonymous.Do(method, path, nil, "Authorization", given))
			}
		}
		want401(t, "in the query", s.anonymous.Do("GET", "/tasks?api_key="+token+"&access_token="+token, nil))
		want401(t, "in other headers", s.anonymous.Do("GET", "/tasks", nil, "X-Api-Key", token, "Proxy-Authorization", "Bearer "+token, "Cookie", "Authorization=Bearer "+token))
	})
}

// unknownToken has the form of a token, and is none: it belongs to a key of
// another service.
func unknownToken(t *testing.T, s service) string {
	t.Helper()
	other := s.Key(t, s.workspace, viewer.Write)
	s.Ent.AuditEvent.Delete().Where(auditevent.KeyID(other.ID)).ExecX(operator(t)) // which refer to it
	if err := s.Ent.APIKey.DeleteOneID(other.ID).Exec(operator(t)); err != nil {
		t.Fatal(err)
	}
	return other.Token
}

func TestAuthorizationHeader(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		token := s.read.Token
		for _, given := range []string{"Bearer " + token, "bearer " + token, "BEARER " + token, "bEaReR " + token, "Bearer  " + token, "  Bearer " + token + "  "} {
			wantStatus(t, given, s.anonymous.Do("GET", "/tasks", nil, "Authorization", given), 200)
		}
		get := "GET /api/v1/tasks HTTP/1.1\nHost: a\n"
		for _, twice := range []string{
			"Authorization: Bearer " + token + "\nAuthorization: Bearer " + token,
			"Authorization: Bearer " + token + "\nauthorization: Basic YTpi",
			"AUTHORIZATION: Basic YTpi\nAuthorization: Bearer " + token,
			"Authorization: Bearer " + token + "\nAuthorization:",
			"Authorization:\nAuthorization: Bearer " + token,
		} {
			r := raw(t, s, get+twice+"\n\n")
			want401(t, twice, r)
		}
		r := raw(t, s, get+"aUTHORIZATION:bearer "+token+"\n\n")
		wantStatus(t, "another case of the name", r, 200)
	})
}

func TestExpiredKey(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		soon := time.Now().Add(2 * time.Second).UTC().Truncate(time.Millisecond)
		_, token, err := apikey.Create(rule.AsOperator(t.Context()), s.Ent, apikey.Request{Workspace: s.workspace, Name: "short", Scope: viewer.Read, Expires: &soon})
		if err != nil {
			t.Fatal(err)
		}
		get := func() servertest.Response {
			return s.anonymous.Do("GET", "/tasks", nil, "Authorization", "Bearer "+token)
		}
		wantStatus(t, "before", get(), 200)
		for time.Now().Before(soon) {
			time.Sleep(20 * time.Millisecond)
			get() // so that an answer about the key is always at hand
		}
		want401(t, "after", get())
	})
}

// A change of a key holds on every replica within a second, however busy the
// key is.
func TestKeyChangesHoldWithinASecond(t *testing.T) {
	t.Parallel()
	eachPair(t, func(t *testing.T, first, second service) {
		key := first.Key(t, first.workspace, viewer.Read)
		at := func(s service, method string) int {
			return s.anonymous.Do(method, "/tasks", `{"name":"a"}`, "Authorization", "Bearer "+key.Token).Status
		}
		settle := func(what, method string, before, after int) {
			t.Helper()
			changed := time.Now()
			for {
				asked := time.Now()
				a, b := at(first, method), at(second, method)
				switch late := asked.Sub(changed) >= time.Second; {
				case a == after && b == after && late:
					return
				case late:
					t.Fatalf("%s: %d and %d a second later, want %d", what, a, b, after)
				case (a != before && a != after) || (b != before && b != after):
					t.Fatalf("%s: %d and %d, want %d or %d", what, a, b, before, after)
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
		settle("read", "POST", 403, 403)
		if err := apikey.SetScope(rule.AsOperator(t.Context()), first.Ent, key.ID, viewer.Write); err != nil {
			t.Fatal(err)
		}
		settle("read to write", "POST", 403, 201)
		if err := apikey.SetScope(rule.AsOperator(t.Context()), first.Ent, key.ID, viewer.Read); err != nil {
			t.Fatal(err)
		}
		settle("write to read", "POST", 201, 403)
		if err := apikey.Revoke(rule.AsOperator(t.Context()), first.Ent, key.ID); err != nil {
			t.Fatal(err)
		}
		settle("revoked", "GET", 200, 401)
		for range 20 {
			if a, b := at(first, "GET"), at(second, "GET"); a != 401 || b != 401 {
				t.Errorf("revoked, and then %d and %d", a, b)
			}
		}
	})
}
