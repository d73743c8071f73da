package load

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"records/internal/rest"
)

type csvReader struct {
	r      *csv.Reader
	header []string
	fields map[string]rest.Field
}

func newCSVReader(r *bufio.Reader, fields []rest.Field) (*csvReader, error) {
	c := &csvReader{r: csv.NewReader(&csvText{r: r, line: 1, start: 1}), fields: map[string]rest.Field{}}
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
	return c, c.checkHeader(fields)
}

// checkHeader refuses a name that is no field's, by the API's own message, and one that
// stands there twice.
func (c *csvReader) checkHeader(fields []rest.Field) error {
	optional := make(fieldList, len(fields))
	for i, f := range fields {
		f.Nullable = true // the header alone has no values
		optional[i] = f
	}
	once := c.once()
	r, err := c.row(make([]string, once))
	if err != nil {
		return err
	}
	if _, err := rest.Decode(r.body, optional, false); err != nil {
		return &LineError{r.line, rest.AsError(err).Message}
	}
	if once < len(c.header) {
		return &LineError{r.line, fmt.Sprintf("The header names the field %q twice.", c.header[once])}
	}
	return nil
}

// once is how many names of the header come before the first that was there already.
func (c *csvReader) once() int {
	there := map[string]bool{}
	for i, name := range c.header {
		if there[name] {
			return i
		}
		there[name] = true
	}
	return len(c.header)
}

// fieldList is a body of just these fields.
type fieldList []rest.Field

// Fields implements rest.Input.
func (l fieldList) Fields() []rest.Field { return l }

// next turns the next line into a JSON object.
func (c *csvReader) next() (row, error) {
	cells, err := c.r.Read()
	if errors.Is(err, io.EOF) {
		return row{}, io.EOF
	}
	if err != nil {
		return row{}, csvFault(err)
	}
	return c.row(cells)
}

// row is the JSON object of the cells that were read last.
func (c *csvReader) row(cells []string) (row, error) {
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
		body = append(append(body, ':'), Cell(c.fields[c.header[i]], cell)...)
	}
	return row{line: line, body: append(body, '}')}, nil
}

// Cell is the JSON form of a field's cell: null for an empty one; a number, true,
// false, a list or an object as it stands where the field is one.
func Cell(f rest.Field, cell string) []byte {
	switch {
	case cell == "":
		return []byte("null")
	case f.JSON == "array" || f.JSON == "object":
		if rest.IsJSON(cell) {
			return []byte(cell)
		}
	case f.JSON != "" && f.JSON != "string" && (rest.IsNumber(cell) || cell == "true" || cell == "false"):
		return []byte(cell)
	}
	return rest.AppendText(nil, cell)
}

// csvFault names the line in which the faulty row begins.
func csvFault(err error) error {
	var fault *csv.ParseError
	if errors.As(err, &fault) {
		return &LineError{fault.StartLine, "The line is not well-formed CSV: " + fault.Err.Error() + "."}
	}
	return err
}

// csvText hands a file on to encoding/csv, which turns a CRLF inside quotes
// into LF. It repeats the CR there, so that the text of a cell is kept as it
// is. It bounds a row, so that a quote that is never closed does not take the
// whole file into memory.
type csvText struct {
	r      *bufio.Reader
	quoted bool // inside quotes
	again  bool // a CR comes once more
	size   int  // of the row so far
	line   int
	start  int // the line in which the row began
}

// Read implements io.Reader.
func (c *csvText) Read(p []byte) (int, error) {
	for n := range p {
		b, err := c.readByte()
		if err != nil {
			return n, err
		}
		p[n] = b
	}
	return len(p), nil
}

func (c *csvText) readByte() (byte, error) {
	if c.again {
		c.again = false
		return '\r', nil
	}
	b, err := c.r.ReadByte()
	if err != nil {
		return 0, err
	}
	if c.size++; c.size > rest.MaxBody {
		return 0, &LineError{c.start, "The row is longer than 1 MiB; is a quote not closed?"}
	}
	switch b {
	case '"':
		c.quoted = !c.quoted
	case '\r':
		following, _ := c.r.Peek(1)
		c.again = c.quoted && string(following) == "\n"
	case '\n':
		if c.line++; !c.quoted {
			c.start, c.size = c.line, 0
		}
	}
	return b, nil
}
