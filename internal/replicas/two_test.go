package replicas

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// lies are requests by HTTP/2 that would hide another one, were they written down in
// HTTP/1.1 as they came. A field replaces the one of its name that an honest request
// has, or comes in addition. HIDDEN is the other request.
var lies = []struct {
	what   string
	fields []hpack.HeaderField
	body   string
}{
	{"a length that is too short", []hpack.HeaderField{{Name: "content-length", Value: "12"}}, `{"name":"a"}HIDDEN`},
	{"a length that is too long", []hpack.HeaderField{{Name: "content-length", Value: "5000"}}, `{"name":"a"}`},
	{"two lengths", []hpack.HeaderField{{Name: "content-length", Value: "12"}, {Name: "content-length", Value: "0"}}, `{"name":"a"}HIDDEN`},
	{"transfer-encoding", []hpack.HeaderField{{Name: "transfer-encoding", Value: "chunked"}}, "0\r\n\r\nHIDDEN"},
	{"transfer-encoding and a length", []hpack.HeaderField{{Name: "transfer-encoding", Value: "chunked"}, {Name: "content-length", Value: "0"}}, "0\r\n\r\nHIDDEN"},
	{"connection", []hpack.HeaderField{{Name: "connection", Value: "transfer-encoding"}, {Name: "transfer-encoding", Value: "chunked"}}, "0\r\n\r\nHIDDEN"},
	{"a request in a value", []hpack.HeaderField{{Name: "x-a", Value: "b\r\n\r\nHIDDEN"}}, ""},
	{"a line in a value", []hpack.HeaderField{{Name: "x-a", Value: "b\r\nTransfer-Encoding: chunked"}}, "0\r\n\r\nHIDDEN"},
	{"a bare line feed in a value", []hpack.HeaderField{{Name: "x-a", Value: "b\nTransfer-Encoding: chunked"}}, "0\r\n\r\nHIDDEN"},
	{"a line in a name", []hpack.HeaderField{{Name: "x-a: b\r\ntransfer-encoding: chunked\r\nx-b", Value: "c"}}, "0\r\n\r\nHIDDEN"},
	{"a colon in a name", []hpack.HeaderField{{Name: "transfer-encoding: chunked\r\nx", Value: "c"}}, "0\r\n\r\nHIDDEN"},
	{"a request in the path", []hpack.HeaderField{{Name: ":path", Value: "/api/v1/tasks HTTP/1.1\r\nHost: a\r\n\r\nHIDDEN"}}, ""},
	{"a line in the path", []hpack.HeaderField{{Name: ":path", Value: "/api/v1/tasks HTTP/1.1\r\nTransfer-Encoding: chunked\r\nX: y"}}, "0\r\n\r\nHIDDEN"},
	{"a line in the method", []hpack.HeaderField{{Name: ":method", Value: "POST /api/v1/tasks HTTP/1.1\r\nTransfer-Encoding: chunked\r\nX: y"}}, "0\r\n\r\nHIDDEN"},
	{"a line in the authority", []hpack.HeaderField{{Name: ":authority", Value: "a\r\nTransfer-Encoding: chunked"}}, "0\r\n\r\nHIDDEN"},
	{"a line in the scheme", []hpack.HeaderField{{Name: ":scheme", Value: "https\r\nTransfer-Encoding: chunked"}}, "0\r\n\r\nHIDDEN"},
	{"another host", []hpack.HeaderField{{Name: "host", Value: "a\r\nTransfer-Encoding: chunked"}}, "0\r\n\r\nHIDDEN"},
}

// The same by HTTP/2, which the proxy writes down in HTTP/1.1 for the replica.
func TestRequestsAreNotSmuggledByHTTP2(t *testing.T) {
	t.Parallel()
	f := newFleet(t, migrated(t))
	r := f.serve(t, binary, "")
	p := newProxy(t, r)
	attacker, victim := r.at(f.writer(t)), r.at(f.writer(t))
	own := victim.create(t)
	by := p.at(victim.token, p.transport(t, "", false))
	if got := p.two(t, attacker.token, nil, `{"name":"a"}`); got != "201" {
		t.Fatalf("an honest request is answered %q", got)
	}
	for _, lie := range lies {
		target := attacker.create(t)
		hide := func(text string) string { return hiding(text, attacker.token, target) }
		var fields []hpack.HeaderField
		for _, field := range lie.fields {
			fields = append(fields, hpack.HeaderField{Name: field.Name, Value: hide(field.Value)})
		}
		got := p.two(t, attacker.token, fields, hide(lie.body))
		if a, err := attacker.do("GET", "/tasks/"+target, ""); err != nil || a.status != 200 {
			t.Errorf("%s: answered %q, and the hidden request had its effect: %d, %v", lie.what, got, a.status, err)
		}
		if got[0] == '2' {
			t.Errorf("%s: answered %s", lie.what, got)
		}
		by.canaries(t, lie.what, own)
	}
}

// two sends a request by HTTP/2 on a connection of its own, its fields as they stand,
// and returns the status, or how it was refused.
func (p *proxy) two(t *testing.T, token string, fields []hpack.HeaderField, body string) string {
	t.Helper()
	conn, err := tls.Dial("tcp", p.address, p.tls("h2"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	var head bytes.Buffer
	encoder := hpack.NewEncoder(&head)
	given := map[string]string{}
	for _, field := range fields {
		given[field.Name] = field.Value
	}
	for _, honest := range []hpack.HeaderField{
		{Name: ":method", Value: "POST"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: host}, {Name: ":path", Value: "/api/v1/tasks"},
		{Name: "authorization", Value: "Bearer " + token}, {Name: "content-type", Value: "application/json"},
	} {
		if value, ok := given[honest.Name]; ok {
			honest.Value = value
		}
		_ = encoder.WriteField(honest)
	}
	for _, field := range fields {
		if field.Name[0] != ':' {
			_ = encoder.WriteField(field)
		}
	}
	framer := http2.NewFramer(conn, conn)
	_, _ = fmt.Fprint(conn, http2.ClientPreface)
	_ = framer.WriteSettings()
	_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: head.Bytes(), EndHeaders: true, EndStream: body == ""})
	if body != "" {
		_ = framer.WriteData(1, true, []byte(body))
	}
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return "closed"
		}
		switch frame := frame.(type) {
		case *http2.MetaHeadersFrame:
			return frame.PseudoValue("status")
		case *http2.RSTStreamFrame:
			return "reset"
		case *http2.GoAwayFrame:
			return "away"
		}
	}
}
