// Package load brings records in from outside the API: files of an import, and
// the demo workspace. Every record goes through the API's own rules.
package load

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"records/internal/rest"
)

// Format is how a file holds its records.
type Format string

// The formats there are.
const (
	NDJSON Format = "ndjson" // one JSON object a line
	CSV    Format = "csv"    // RFC 4180; the first row names the fields, an empty cell is null
)

// LineError is what is wrong with one line of a file, counted from 1.
type LineError struct {
	Line    int
	Message string
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// row is one record of a file as a JSON body.
type row struct {
	line int
	body []byte
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
			return row{n.line, body}, nil
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

type csvReader struct {
	r      *csv.Reader
	header []string
	fields map[string]rest.Field
}

func newCSVReader(r io.Reader, fields []rest.Field) (*csvReader, error) {
	c := &csvReader{r: csv.NewReader(r), fields: map[string]rest.Field{}}
	for _, f := range fields {
		c.fields[f.Name] = f
	}
	header, err := c.r.Read()
	if errors.Is(err, io.EOF) {
		return nil, &LineError{1, "The file is empty; its first line must name the fields."}
	}
	if err != nil {
		return nil, csvFault(err)
	}
	c.header = header
	return c, nil
}

// next turns the next line into a JSON object. Names go through as they are, so
// that an unknown one is refused by the API's own message.
func (c *csvReader) next() (row, error) {
	cells, err := c.r.Read()
	if errors.Is(err, io.EOF) {
		return row{}, io.EOF
	}
	if err != nil {
		return row{}, csvFault(err)
	}
	line, _ := c.r.FieldPos(0)
	body := []byte{'{'}
	for i, cell := range cells {
		if !utf8.ValidString(cell) {
			return row{}, &LineError{line, "The line is not valid UTF-8."}
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = rest.AppendText(body, c.header[i])
		body = append(append(body, ':'), c.cell(c.header[i], cell)...)
	}
	return row{line, append(body, '}')}, nil
}

// cell is the JSON form of a cell: null for an empty one, a number as it
// stands where the field is one.
func (c *csvReader) cell(name, cell string) []byte {
	switch f := c.fields[name]; {
	case cell == "":
		return []byte("null")
	case f.JSON == "number" && rest.IsNumber(cell):
		return []byte(cell)
	default:
		return rest.AppendText(nil, cell)
	}
}

func csvFault(err error) error {
	var fault *csv.ParseError
	if errors.As(err, &fault) {
		return &LineError{fault.Line, "The line is not well-formed CSV: " + fault.Err.Error() + "."}
	}
	return err
}
