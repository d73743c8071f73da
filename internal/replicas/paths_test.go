package replicas

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A path means to a replica behind the proxy what it means to one alone, or is refused
// by the proxy: none is tidied up on its way into another.
func TestPathsBehindAProxy(t *testing.T) {
	t.Parallel()
	f := newFleet(t, migrated(t))
	r := f.serve(t, binary, "")
	p := newProxy(t, r)
	token := f.writer(t)
	id := r.at(token).create(t)
	base := "/api/v1/tasks"
	for _, target := range []string{
		base, base + "/", base + "//", base + "/" + id, base + "/" + id + "/", base + "/" + strings.ToUpper(id), base + "/" + strings.Replace(id, "-", "%2d", 1), "//api/v1/tasks", "/api//v1/tasks",
		"/api/v1/./tasks", "/api/v1/../v1/tasks", "/api/v1/projects/../tasks", "/../api/v1/tasks", "/api/v1/%2e%2e/v1/tasks", "/livez/../api/v1/tasks", "/api/v1/../../livez", "/api/v1/..%2f..%2flivez",
		"/api%2fv1%2ftasks", "/api/v1/tasks%2f" + id, base + "/%2f" + id, base + "/" + id + "%2f", base + "/..%2ftasks%2f" + id, base + "/" + id + "%00", base + "/%00", base + "/" + id + "%0d%0aX: y", base + "/" + id + "%20HTTP/1.1",
		"/api/v1/%74asks", "/%61pi/v1/tasks", "/API/v1/tasks", "/api/v1/tasks;a=b", "/api/v1/tasks%3flimit=1", "/api/v1/tasks%23", "/api/v1/tasks#x", base + "?limit=1&limit=2", base + "?limit=%31", base + "?", base + "?a=%zz", base + "/%zz", base + "/%", base + "/\xc3\xa9", base + "/%c0%af", `/api\v1\tasks`, "http://" + host + base, "http://" + host + "/api/v1/../v1/tasks", "*", "?limit=1",
	} {
		for _, key := range []string{token, ""} {
			direct := status(t, func() (net.Conn, error) { return net.Dial("tcp", r.address) }, target, key)
			proxied := status(t, func() (net.Conn, error) { return tls.Dial("tcp", p.address, p.tls()) }, target, key)
			if direct != proxied && proxied != 400 {
				t.Errorf("%q with key %t: a replica answers %d, through the proxy %d", target, key != "", direct, proxied)
			}
		}
	}
}

// status is how a GET of a target is answered, sent to the letter.
func status(t *testing.T, dial func() (net.Conn, error), target, token string) int {
	t.Helper()
	conn, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	text := "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
	if token != "" {
		text += "Authorization: Bearer " + token + "\r\n"
	}
	if _, err := fmt.Fprint(conn, text+"\r\n"); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%q: %v", target, err)
	}
	_ = r.Body.Close()
	return r.StatusCode
}
