package server_test

import (
	"strings"
	"testing"

	"records/internal/servertest"
)

// send sends a request without tidying the target up.
func (s service) send(t *testing.T, method, target, token string) servertest.Response {
	t.Helper()
	head := method + " " + target + " HTTP/1.1\nHost: a\nContent-Length: 0\n"
	if token != "" {
		head += "Authorization: Bearer " + token + "\n"
	}
	r := raw(t, s, head+"\n")
	return r
}

// Paths are matched to the letter, but for one slash at the end.
func TestPathsToTheLetter(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", smallest("tasks"))
		base := "/api/v1/tasks"
		for target, status := range map[string]int{
			base: 200, base + "/": 200, base + "?": 200, base + "/?limit=1": 200, base + "/" + id: 200, base + "/" + id + "/": 200, base + "/" + id + "/?": 200,
			base + "/" + strings.ToUpper(id): 200, base + "/" + strings.Replace(id, "-", "%2d", 1): 200, base + "/" + strings.ReplaceAll(id, "0", "%30"): 200,
			"http://elsewhere.example" + base: 200, "http://a" + base + "/": 200,
			base + "//": 404, base + "///": 404, base + "//" + id: 404, base + "/" + id + "//": 404, "/api/v1//tasks": 404, "/api//v1/tasks": 404, "//api/v1/tasks": 404, base + "/./" + id: 404, "/api/v1/./tasks": 404,
			"/api/v1/projects/../tasks": 404, "/api/v1/../v1/tasks": 404, base + "/..": 404, base + "/../tasks": 404, base + "/%2e%2e/tasks": 404, "/api/v1/tasks/..%2ftasks": 404, "/../api/v1/tasks": 404,
			"/api/v1/%74asks": 404, "/api/v1/task%73": 404, "/%61pi/v1/tasks": 404, "/api/%761/tasks": 404, "/api%2fv1%2ftasks": 404, "/api/v1%2ftasks": 404, "/api/v1/tasks%2f": 404, "/api/v1/tasks%2f" + id: 404, base + "%2F" + id: 404,
			"/api/v1/Tasks": 404, "/api/v1/TASKS": 404, "/API/v1/tasks": 404, "/api/V1/tasks": 404, "/api/v1/tasks%20": 404, "/api/v1/tasks%00": 404, "/api/v1/tasks;a=b": 404, "/api/v1/tasks.": 404, "/api/v1/tasks%3flimit=1": 404, "/api/v1/tasks%23": 404, "/api/v1/t\u0430sks": 404,
			base + "/" + id + "%2f": 404, base + "/%2f" + id: 404, base + "/" + id + "%20": 404, base + "/" + id + "%00": 404, base + "/" + id + "/x": 404, base + "/" + id + ";v=1": 404, base + "/" + id + "#x": 404, "/api/v1/": 404, "/api/v1": 404, "/api/v1//": 404,
		} {
			r := s.send(t, "GET", target, s.write.Token)
			if status == 404 {
				wantError(t, target, r, 404, "not_found")
			} else {
				wantStatus(t, target, r, status)
			}
			if r.Header.Get("Location") != "" {
				t.Errorf("%s: redirected to %s", target, r.Header.Get("Location"))
			}
		}
		// Nothing that looks like a record's path is one for a write either.
		for _, target := range []string{base + "%2f" + id, base + "//" + id, "/api/v1/Tasks/" + id, "/api/v1/%74asks/" + id, "/api/v1/projects/../tasks/" + id} {
			wantError(t, target, s.send(t, "DELETE", target, s.write.Token), 404, "not_found")
		}
		for _, target := range []string{base + "/..%2ftasks%2f" + id, base + "/%2f" + id, base + "/" + id + "%2f", base + "/" + id + "%20"} {
			if r := s.send(t, "DELETE", target, s.write.Token); r.Status != 200 || !strings.HasSuffix(string(r.Body), `"deleted":false}`) {
				t.Errorf("%s: %d %s", target, r.Status, r.Body)
			}
		}
		wantStatus(t, "still there", s.read.Do("GET", "/tasks/"+id, nil), 200)
	})
}

// No path of the API is open by another spelling: without a key each is 401 if
// it begins as the API's do, and nothing else if not.
func TestPathsWithoutKey(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		for target, status := range map[string]int{
			"/api/v1": 401, "/api/v1/": 401, "/api/v1/tasks": 401, "/api/v1/tasks/": 401, "/api/v1//tasks": 401, "/api/v1/%74asks": 401, "/api/v1/../v1/tasks": 401, "/api/v1/openapi.json/x": 401, "/api/v1/openapi%2ejson": 401, "/api/v1/OpenAPI.json": 401,
			"/api/v1/livez": 401, "/api/v1//openapi.json": 401, "/api/v1/../../livez": 401,
			"//api/v1/tasks": 404, "/%61pi/v1/tasks": 404, "/api/v1x/tasks": 404, "/api%2fv1/tasks": 404, "/API/v1/tasks": 404, "/livez/../api/v1/tasks": 404, "/LIVEZ": 404, "/livez//": 404, "/%6civez": 404,
			"/api/v1/openapi.json": 200, "/api/v1/openapi.json/": 200,
		} {
			wantStatus(t, target, s.send(t, "GET", target, ""), status)
		}
	})
}

// Headers and parameters that elsewhere change the method do nothing here.
func TestMethodOverride(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", smallest("tasks"))
		for _, header := range []string{"X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method"} {
			wantStatus(t, header, s.write.Do("GET", "/tasks/"+id, nil, header, "DELETE"), 200)
			wantStatus(t, header, s.read.Do("GET", "/tasks", nil, header, "POST"), 200)
			wantError(t, header, s.read.Do("POST", "/tasks", `{"name":"a"}`, header, "GET"), 403, "read_only_key")
			wantError(t, header, s.write.Do("POST", "/tasks/"+id, `{"name":"b"}`, header, "PATCH"), 405, "method_not_allowed")
		}
		for _, header := range []string{"X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Prefix", "X-Forwarded-Host"} {
			wantStatus(t, header, s.write.Do("GET", "/tasks/"+id, nil, header, "/api/v1/nothing"), 200)
		}
		wantStatus(t, "still there", s.read.Do("GET", "/tasks/"+id, nil), 200)
	})
}
