package prove

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"records/internal/server"
)

// patience bounds the sending and the answering of a batch of requests.
const patience = time.Minute

// wire is a connection that any key of any workspace may be the next to use.
type wire struct {
	net.Conn
	reader *bufio.Reader
}

// answer is one that was read whole, and is decompressed.
type answer struct {
	status int
	header http.Header
	body   []byte
	packed bool // was compressed
}

// text is all of an answer.
func (a answer) text() string {
	var b strings.Builder
	_ = a.header.Write(&b) // a Builder takes everything
	b.Write(a.body)
	return b.String()
}

// dial takes a connection that somebody used before, or makes one.
func (w *world) dial() (*wire, error) {
	select {
	case c := <-w.idle:
		return c, nil
	default:
		return w.dialNew()
	}
}

func (w *world) dialNew() (*wire, error) {
	c, err := net.Dial("tcp", strings.TrimPrefix(w.server.URL, "http://"))
	if err != nil {
		return nil, err
	}
	return &wire{c, bufio.NewReader(c)}, nil
}

// release leaves a connection to the next who needs one.
func (w *world) release(c *wire) {
	select {
	case w.idle <- c:
	default:
		c.Close()
	}
}

// exchange sends requests, one behind the other without waiting, and returns their
// answers in the same order. What the server has not looked at when it closes the
// connection is sent again on another.
func (w *world) exchange(asks ...*ask) (answers []answer, err error) {
	for len(answers) < len(asks) {
		c, err := w.dial()
		if err != nil {
			return nil, err
		}
		if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
			return nil, err
		}
		var b bytes.Buffer
		for _, a := range asks[len(answers):] {
			a.write(&b)
		}
		if _, err := c.Write(b.Bytes()); err != nil {
			return nil, err
		}
		closed := false
		for _, a := range asks[len(answers):] {
			var got answer
			if got, closed, err = c.read(a.method); err != nil {
				return nil, fmt.Errorf("reading the answer to %s: %w", a, err)
			}
			if answers = append(answers, got); closed {
				break
			}
		}
		if closed {
			c.Close()
		} else {
			w.release(c)
		}
	}
	return answers, nil
}

func (c *wire) read(method string) (a answer, closed bool, err error) {
	res, err := http.ReadResponse(c.reader, &http.Request{Method: method})
	if err != nil {
		return a, true, err
	}
	defer res.Body.Close()
	a = answer{status: res.StatusCode, header: res.Header}
	if a.body, err = io.ReadAll(res.Body); err != nil {
		return a, true, err
	}
	if a.packed = res.Header.Get("Content-Encoding") == "gzip"; a.packed && method != http.MethodHead {
		z, err := gzip.NewReader(bytes.NewReader(a.body))
		if err != nil {
			return a, true, err
		}
		if a.body, err = io.ReadAll(z); err != nil {
			return a, true, err
		}
	}
	return a, res.Close, nil
}

// write appends the request as it goes out, its path to the letter.
func (a *ask) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "%s %s%s HTTP/1.1\r\nHost: prove\r\n", a.method, server.Base, a.path)
	if a.token != "" {
		fmt.Fprintf(b, "Authorization: Bearer %s\r\n", a.token)
	}
	for i := 0; i+1 < len(a.headers); i += 2 {
		fmt.Fprintf(b, "%s: %s\r\n", a.headers[i], a.headers[i+1])
	}
	if a.body != nil {
		fmt.Fprintf(b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(a.body))
	}
	b.WriteString("\r\n")
	b.Write(a.body)
}
