// Package load brings records in from outside the API: files of an import, and
// the demo workspace. Every record goes through the API's own rules.
package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"records/internal/rest"
)

// Format is how a file holds its records.
type Format string

// The formats there are.
const (
	NDJSON Format = "ndjson" // one JSON object a line
	CSV    Format = "csv"    // RFC 4180; the first row names the fields, an empty cell is null
)

// LineError is what is wrong with one line of a file, counted from 1: of a row
// of several lines, the first.
type LineError struct {
	Line    int
	Message string
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// row is one record of a file: as a JSON body, and then as what was read from it.
type row struct {
	line int
	body []byte
	size int // of the body
	read rest.Body
}

// reader gives the rows of a file one by one, io.EOF at its end.
type reader interface{ next() (row, error) }

func newReader(r io.Reader, format Format, fields []rest.Field) (reader, error) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	if mark, _ := buffered.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = buffered.Discard(3) // the byte order mark that spreadsheets put before a CSV file
	}
	if format == CSV {
		return newCSVReader(buffered, fields)
	}
	return &ndjsonReader{r: buffered}, nil
}

type ndjsonReader struct {
	r    *bufio.Reader
	line int
}

// next returns the next line that is not empty.
func (n *ndjsonReader) next() (row, error) {
	for {
		body, err := n.readLine()
		if err != nil {
			return row{}, err
		}
		n.line++
		if len(bytes.TrimSpace(body)) > 0 {
			return row{line: n.line, body: body}, nil
		}
	}
}

// readLine reads a line of at most rest.MaxBody bytes, without its end.
func (n *ndjsonReader) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := n.r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > rest.MaxBody:
			return nil, &LineError{n.line + 1, "The line is longer than 1 MiB."}
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return bytes.TrimRight(line, "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
