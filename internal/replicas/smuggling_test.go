package replicas

import (
	"bufio"
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A request that leaves it in doubt where it ends, behind which another one hides,
// ends with its connection or means one thing to the proxy and the replica: the
// hidden request has no effect, and whoever uses the proxy's connections next gets
// the answer to what they asked.
func TestRequestsAreNotSmuggled(t *testing.T) {
	t.Parallel()
	f := newFleet(t, migrated(t))
	r := f.serve(t, binary, "")
	p := newProxy(t, r)
	attacker, victim := r.at(f.writer(t)), r.at(f.writer(t))
	own := victim.create(t)
	for way, dial := range map[string]func() (net.Conn, error){
		"a replica": func() (net.Conn, error) { return net.Dial("tcp", r.address) },
		"the proxy": func() (net.Conn, error) { return tls.Dial("tcp", p.address, p.tls()) },
	} {
		// All of it on few connections between the proxy and the replica.
		by := p.at(victim.token, p.transport(t, "", false))
		if way == "a replica" {
			by = victim
		}
		for _, c := range append(smuggled, odd...) {
			target := attacker.create(t)
			text := c.request(attacker.token, target)
			want := cmp.Or(c.proxied, "400")
			if way == "a replica" {
				want = cmp.Or(c.direct, "400")
			}
			got := exchange(t, dial, text)
			if got != want && (way == "a replica" || got != "400") { // versions of nginx grow stricter
				t.Errorf("%s, %s: answered %q, want %q\n%q", way, c.what, got, want, text)
			}
			if a, err := attacker.do("GET", "/tasks/"+target, ""); err != nil || (a.status == 404) != strings.Contains(got, hiddenAnswered) {
				t.Errorf("%s, %s: what was to be deleted: %d, %v", way, c.what, a.status, err)
			}
			by.canaries(t, way+", "+c.what, own)
		}
	}
}

// hostile is a request by its first line, POST /api/v1/tasks if it is empty, the lines
// of its header, and its body; HIDDEN in that is another request. Host and key are
// added, unless it is bare.
type hostile struct {
	what, line, lines, body string
	bare                    bool
	proxied, direct         string // the statuses of the answers, 400 if it is empty
}

// hiddenAnswered is among the answers where a request ends for certain before the next
// one, which is then an ordinary request of the same client, with its own answer.
const hiddenAnswered = "200 to the hidden one"

// request is the whole of it. LENGTH is that of the body.
func (h hostile) request(token, target string) string {
	body := hiding(h.body, token, target)
	lines := strings.ReplaceAll(h.lines, "LENGTH", fmt.Sprint(len(body)))
	common := authority(token)
	switch {
	case h.bare:
		return h.line + "\r\n" + lines + "\r\n" + body
	case h.line != "":
		return h.line + "\r\n" + common + lines + "\r\n" + body
	}
	return "POST /api/v1/tasks HTTP/1.1\r\n" + common + "Content-Type: application/json\r\n" + lines + "\r\n" + body
}

// authority is the lines of a header that every request needs.
func authority(token string) string {
	return "Host: " + host + "\r\nAuthorization: Bearer " + token + "\r\n"
}

// hiding writes another request into a text, in the place of HIDDEN: it deletes a
// record. HEXSIZE is its length.
func hiding(text, token, target string) string {
	hidden := "DELETE /api/v1/tasks/" + target + " HTTP/1.1\r\n" + authority(token) + "X-Request-Id: hidden\r\n\r\n"
	return strings.NewReplacer("HIDDEN", hidden, "HEXSIZE", fmt.Sprintf("%x", len(hidden))).Replace(text)
}

// canaries are requests of another client, which must get the answers to what it asks.
func (c *client) canaries(t *testing.T, after, own string) {
	t.Helper()
	for i := range 3 {
		id := fmt.Sprintf("canary-%d", i)
		a, err := c.do("GET", "/tasks/"+own, "", "X-Request-Id", id)
		if err != nil || a.status != 200 || a.header.Get("X-Request-Id") != id || !strings.Contains(a.body, own) {
			t.Errorf("%s: the next request is answered %d %v %s, %v", after, a.status, a.header, a.body, err)
		}
	}
}

const (
	chunkedBody = "c\r\n{\"name\":\"a\"}\r\n0\r\n\r\nHIDDEN"
	plainBody   = `{"name":"a"}HIDDEN`
	te          = "Transfer-Encoding: chunked\r\n"
	long        = "Content-Length: LENGTH\r\n"
)

var smuggled = []hostile{
	{what: "CL.TE", lines: long + te, body: "0\r\n\r\nHIDDEN"},
	{what: "TE.CL", lines: te + "Content-Length: 4\r\n", body: "HEXSIZE\r\nHIDDEN\r\n0\r\n\r\n"},
	{what: "TE: xchunked", lines: long + "Transfer-Encoding: xchunked\r\n", body: chunkedBody, proxied: "501", direct: "501"},
	{what: "TE with a space before its colon", lines: long + "Transfer-Encoding : chunked\r\n", body: chunkedBody},
	{what: "TE behind a tab", lines: "Transfer-Encoding:\tchunked\r\n" + long, body: chunkedBody, proxied: "501", direct: "201"},
	{what: "TE with a vertical tab", lines: long + "Transfer-Encoding: chunked\x0b\r\n", body: chunkedBody, proxied: "501"},
	{what: "TE with a vertical tab before", lines: long + "Transfer-Encoding: \x0bchunked\r\n", body: chunkedBody, proxied: "501"},
	{what: "TE: chunked, identity", lines: long + "Transfer-Encoding: chunked, identity\r\n", body: chunkedBody, proxied: "501", direct: "501"},
	{what: "TE: identity, chunked", lines: long + "Transfer-Encoding: identity, chunked\r\n", body: chunkedBody, proxied: "501", direct: "501"},
	{what: "TE in quotes", lines: long + "Transfer-Encoding: \"chunked\"\r\n", body: chunkedBody, proxied: "501", direct: "501"},
	{what: "TE with a parameter", lines: long + "Transfer-Encoding: chunked;q=1\r\n", body: chunkedBody, proxied: "501", direct: "501"},
	{what: "TE on a folded line", lines: long + "Transfer-Encoding:\r\n chunked\r\n", body: chunkedBody, direct: "201"},
	{what: "TE twice", lines: long + "Transfer-Encoding: cow\r\nTransfer-Encoding: chunked\r\n", body: chunkedBody, direct: "501"},
	{what: "TE twice, chunked first", lines: long + te + "Transfer-Encoding: cow\r\n", body: chunkedBody, direct: "501"},
	{what: "TE behind a bare line feed", lines: long + "X: a\nTransfer-Encoding: chunked\r\n", body: chunkedBody, direct: "201"},
	{what: "TE behind a bare carriage return", lines: long + "X: a\rTransfer-Encoding: chunked\r\n", body: chunkedBody},
	{what: "TE with an underscore", lines: long + "Transfer_Encoding: chunked\r\n", body: chunkedBody, proxied: "400, open", direct: "400, open"},
	{what: "TE with a NUL in its name", lines: long + "Transfer-Encoding\x00: chunked\r\n", body: chunkedBody},
	{what: "TE empty", lines: long + "Transfer-Encoding:\r\n", body: plainBody, proxied: "501", direct: "501"},
	{what: "TE that Connection names", lines: te + "Connection: Transfer-Encoding\r\n", body: chunkedBody, proxied: "201, 200 to the hidden one", direct: "201"},
	{what: "lengths that differ", lines: "Content-Length: 12\r\n" + long, body: plainBody},
	{what: "lengths that differ, the longer first", lines: long + "Content-Length: 12\r\n", body: plainBody},
	{what: "a list of lengths", lines: "Content-Length: 12, LENGTH\r\n", body: plainBody},
	{what: "a length with a plus", lines: "Content-Length: +12\r\n", body: plainBody},
	{what: "a negative length", lines: "Content-Length: -12\r\n", body: plainBody},
	{what: "a length in hexadecimal", lines: "Content-Length: 0xc\r\n", body: plainBody},
	{what: "a length with an exponent", lines: "Content-Length: 12e0\r\n", body: plainBody},
	{what: "a length with a space in it", lines: "Content-Length: 1 2\r\n", body: plainBody},
	{what: "a length with a vertical tab", lines: "Content-Length: 12\x0b\r\n", body: plainBody},
	{what: "a length that overflows", lines: "Content-Length: 18446744073709551628\r\n", body: plainBody},
	{what: "an empty length", lines: "Content-Length:\r\n", body: plainBody},
	{what: "a length with a space before its colon", lines: "Content-Length : 12\r\n", body: plainBody},
	{what: "a length on a folded line", lines: "Content-Length:\r\n 12\r\n", body: plainBody, direct: "201, 200 to the hidden one"},
	{what: "a chunk with a plus", lines: te, body: "+" + chunkedBody},
	{what: "a chunk in 0x", lines: te, body: "0x" + chunkedBody},
	{what: "a negative chunk", lines: te, body: "-" + chunkedBody},
	{what: "a chunk that overflows", lines: te, body: "1000000000000000" + chunkedBody},
	{what: "a chunk behind a space", lines: te, body: " " + chunkedBody},
	{what: "a chunk with no size", lines: te, body: "\r\n" + chunkedBody},
	{what: "a chunk with no end of its line", lines: te, body: `c{"name":"a"}` + "\r\n0\r\n\r\nHIDDEN"},
	{what: "a chunk longer than it says", lines: te, body: "2\r\n{\"name\":\"a\"}\r\n0\r\n\r\nHIDDEN"},
	{what: "an extension with a carriage return", lines: te, body: "c;a=\rb\r\n{\"name\":\"a\"}\r\n0\r\n\r\nHIDDEN"},
	{what: "a trailer that is no header", lines: te, body: "c\r\n{\"name\":\"a\"}\r\n0\r\nno header\r\n\r\nHIDDEN", proxied: "201, 200 to the hidden one"},
}

// get is an ordinary request, behind which another one follows.
const get = "GET /api/v1/tasks HTTP/1.1"

var odd = []hostile{
	{what: "two hosts", line: get, lines: "Host: other.example\r\n", body: "HIDDEN"},
	{what: "no host", line: get, bare: true, body: "HIDDEN"},
	{what: "a host with a path", line: get, bare: true, lines: "Host: a/b\r\n", body: "HIDDEN"},
	{what: "another host in the target", line: "GET http://other.example/api/v1/tasks HTTP/1.1", body: "HIDDEN", proxied: "200, 200 to the hidden one", direct: "200, 200 to the hidden one"},
	{what: "a target without a slash", line: "GET api/v1/tasks HTTP/1.1", body: "HIDDEN"},
	{what: "a target with a space", line: "GET /api/v1/ta sks HTTP/1.1", body: "HIDDEN"},
	{what: "a target with a NUL", line: "GET /api/v1/tasks/%00 HTTP/1.1", body: "HIDDEN", direct: "404, 200 to the hidden one"},
	{what: "a tab in the line", line: "GET\t/api/v1/tasks HTTP/1.1", body: "HIDDEN"},
	{what: "two versions", line: get + " HTTP/1.1", body: "HIDDEN"},
	{what: "an empty line before", line: "\r\n" + get, body: "HIDDEN", proxied: "200, 200 to the hidden one"},
	{what: "a method in small letters", line: "get /api/v1/tasks HTTP/1.1", body: "HIDDEN", direct: "405, 200 to the hidden one"},
	{what: "TRACE", line: "TRACE /api/v1/tasks HTTP/1.1", body: "HIDDEN", proxied: "405", direct: "405, 200 to the hidden one"},
	{what: "CONNECT", line: "CONNECT records.example.com:443 HTTP/1.1", body: "HIDDEN", direct: "404, 200 to the hidden one"},
	{what: "HTTP/0.9", line: "GET /api/v1/tasks", bare: true, body: "HIDDEN", proxied: "no status"}, // that version had none
	{what: "HTTP/1.0 that stays", line: "GET /api/v1/tasks HTTP/1.0", lines: "Connection: keep-alive\r\n", body: "HIDDEN", proxied: "200, 200 to the hidden one", direct: "200, 200 to the hidden one"},
	{what: "HTTP/1.2", line: "GET /api/v1/tasks HTTP/1.2", body: "HIDDEN", proxied: "200, 200 to the hidden one", direct: "200, 200 to the hidden one"},
	{what: "HTTP/2.0 in a line", line: "GET /api/v1/tasks HTTP/2.0", body: "HIDDEN", proxied: "505", direct: "505"},
	{what: "HTTP/2 known before", line: "PRI * HTTP/2.0", bare: true, body: "SM\r\n\r\nHIDDEN", direct: "404"},
	{what: "an upgrade to h2c", line: get, lines: "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n", body: "HIDDEN", proxied: "200, 200 to the hidden one", direct: "200, 200 to the hidden one"},
	{what: "an upgrade to a web socket", line: get, lines: "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n", body: "HIDDEN", proxied: "200, 200 to the hidden one", direct: "200, 200 to the hidden one"},
	{what: "Connection that names Authorization", line: get, lines: "Connection: Authorization, X-Request-Id\r\n", body: "HIDDEN", proxied: "200, 200 to the hidden one", direct: "200, 200 to the hidden one"},
	{what: "Expect without a body", line: get, lines: "Expect: 100-continue\r\n", body: "HIDDEN", proxied: "100, 200, 200 to the hidden one", direct: "200, 200 to the hidden one"},
	{what: "Expect of something else", line: get, lines: "Expect: nonsense\r\n", body: "HIDDEN", proxied: "200, 200 to the hidden one", direct: "417"},
	{what: "a folded line", line: get, lines: "X-A: b\r\n c\r\n", body: "HIDDEN", direct: "200, 200 to the hidden one"},
	{what: "a folded line at first", line: get, bare: true, lines: " X-A: b\r\nHost: a\r\n", body: "HIDDEN"},
	{what: "a NUL in a value", line: get, lines: "X-A: b\x00c\r\n", body: "HIDDEN"},
	{what: "a carriage return in a value", line: get, lines: "X-A: b\rc\r\n", body: "HIDDEN"},
	{what: "a name with a byte above ASCII", line: get, lines: "X-\xff: b\r\n", body: "HIDDEN", proxied: "200, 200 to the hidden one"},
	{what: "a name with a space", line: get, lines: "X A: b\r\n", body: "HIDDEN"},
	{what: "no name", line: get, lines: ": b\r\n", body: "HIDDEN"},
	{what: "no colon", line: get, lines: "nonsense\r\n", body: "HIDDEN", proxied: "200, 200 to the hidden one"},
	{what: "a body that cuts the next one", line: get, lines: "Content-Length: 5\r\n", body: "HIDDEN", proxied: "200, 405 to the hidden one", direct: "200, 405 to the hidden one"},
	{what: "bare line feeds at the end", line: get, lines: "X-A: b\r\n\n", body: "HIDDEN", proxied: "200, 200 to the hidden one", direct: "200, 400"},
}

// create makes a record.
func (c *client) create(t *testing.T) (id string) {
	t.Helper()
	a, err := c.do("POST", "/tasks", `{"name":"own"}`)
	if err != nil || a.status != 201 {
		t.Fatalf("creating: %d %s, %v", a.status, a.body, err)
	}
	return a.header.Get("Location")[len("/api/v1/tasks/"):]
}

// exchange sends a text on a connection of its own, and returns the statuses of the
// answers until the connection ends, or nothing comes for a moment.
func exchange(t *testing.T, dial func() (net.Conn, error), text string) string {
	t.Helper()
	conn, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, text) }() // it may be answered before all of it is read
	var all []string
	for reader := bufio.NewReader(conn); ; {
		_ = conn.SetReadDeadline(time.Now().Add(time.Second))
		r, err := http.ReadResponse(reader, nil)
		if err != nil {
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
				all = append(all, "open")
			}
			return cmp.Or(strings.Join(all, ", "), "no status")
		}
		all = append(all, fmt.Sprint(r.StatusCode))
		if r.Header.Get("X-Request-Id") == "hidden" {
			return strings.Join(all, ", ") + " to the hidden one"
		}
		_, err = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
		if err != nil {
			return strings.Join(append(all, "cut off"), ", ")
		}
	}
}
