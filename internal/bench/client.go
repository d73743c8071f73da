package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// exchangeTimeout bounds one request, so that no benchmark hangs.
const exchangeTimeout = 30 * time.Second

// client is one connection. It speaks just enough HTTP/1.1 for the two servers:
// what it costs is taken from the same cores as they are.
type client struct {
	conn   net.Conn
	reader *bufio.Reader
	answer answer
}

// answer is what came back. It holds until the next request.
type answer struct {
	status   int
	location string
	body     []byte
}

func dial(addr string) (*client, error) {
	conn, err := net.DialTimeout("tcp", addr, exchangeTimeout)
	if err != nil {
		return nil, err
	}
	return newClient(conn), nil
}

func newClient(conn net.Conn) *client {
	return &client{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}
}

// do sends a request and reads the answer.
func (c *client) do(request []byte) (*answer, error) {
	if err := c.conn.SetDeadline(time.Now().Add(exchangeTimeout)); err != nil {
		return nil, err
	}
	if _, err := c.conn.Write(request); err != nil {
		return nil, err
	}
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return nil, fmt.Errorf("no status line: %q", line)
	}
	c.answer = answer{body: c.answer.body[:0]}
	if c.answer.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return nil, fmt.Errorf("no status line: %q", line)
	}
	length, err := c.headers()
	if err != nil {
		return nil, err
	}
	if cap(c.answer.body) < length {
		c.answer.body = make([]byte, length)
	}
	c.answer.body = c.answer.body[:length]
	_, err = io.ReadFull(c.reader, c.answer.body)
	return &c.answer, err
}

// headers reads to the end of the header, and returns the length of the body.
func (c *client) headers() (int, error) {
	length := -1
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		name, value, found := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(": "))
		switch {
		case len(name) == 0 && length >= 0:
			return length, nil
		case !found:
			return 0, fmt.Errorf("the answer has no length, or no header: %q", line)
		case string(name) == "Content-Length":
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		case string(name) == "Location":
			c.answer.location = string(value)
		}
	}
}
