package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is how deep a body may nest, its own object included.
const MaxDepth = 32

// Input is a body of one resource, as the generator declares it.
type Input interface {
	// Fields returns a descriptor of every field, bound to the input.
	Fields() []Field
}

// serverSet are ignored in a body, so that a fetched record can be sent back.
var serverSet = map[string]bool{"id": true, "created_at": true, "updated_at": true}

// Decode reads a body strictly into the input's fields: one JSON object and
// nothing after it, no duplicate key, valid UTF-8 (RFC 8259, RFC 7493). Every
// fault of the values is named in one message. With create, required fields
// must be there. It reports whether any field was in the body.
func Decode(body []byte, in Input, create bool) (any bool, err error) {
	return decode(body, in.Fields(), create)
}

func decode(body []byte, fields []Field, create bool) (any bool, err error) {
	members, err := parseObject(body)
	if err != nil {
		return false, err
	}
	var faults faults
	var unknown []string
	seen := make([]bool, len(fields))
	for _, m := range members {
		if serverSet[m.name] {
			continue
		}
		i := position(fields, m.name)
		if i < 0 {
			unknown = append(unknown, m.name)
			continue
		}
		any, seen[i] = true, true
		if err := accept(&fields[i], m.value); err != nil {
			faults.of(fields[i].Name, err)
		}
	}
	for i := range fields {
		if create && fields[i].Required && !seen[i] {
			faults.add(func() string { return fields[i].Name + " is required" })
		}
	}
	for _, name := range unknown { // last, so that any number of them hides nothing else
		faults.add(func() string {
			return quoted(name) + " is not a known field; the nearest is " + nearest(name, fields)
		})
	}
	return any, faults.err(CodeValidationFailed)
}

// accept takes one value up, or says what is wrong with it.
func accept(f *Field, raw jsontext.Value) error {
	if raw.Kind() != 'n' {
		return f.take(raw)
	}
	if !f.Nullable {
		return errors.New("must not be null")
	}
	f.to.clear()
	return nil
}

// member is one name and the raw value that stands behind it.
type member struct {
	name  string
	value jsontext.Value
}

// parseObject splits a body into its members, in their order.
func parseObject(body []byte) ([]member, error) {
	if len(bytes.Trim(body, " \t\r\n")) == 0 { // JSON has no other white space
		return nil, invalidJSON("The body is empty; send one JSON object.")
	}
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if d.PeekKind() != '{' {
		return nil, notAnObject(d)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, syntaxFault(err)
	}
	var members []member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, syntaxFault(err)
		}
		m := member{name: name.String()} // before the next read: the token is the decoder's
		if m.value, err = readValue(d, body); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, syntaxFault(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, invalidJSON("The body must be one JSON object with nothing after it.")
	}
	return members, nil
}

// readValue reads the next value and returns it as it stands in the body.
func readValue(d *jsontext.Decoder, body []byte) (jsontext.Value, error) {
	v, err := d.ReadValue()
	if err != nil {
		return nil, syntaxFault(err)
	}
	if depth(v) >= MaxDepth {
		return nil, tooDeep()
	}
	end := int(d.InputOffset())
	return body[end-len(v) : end], nil // v itself is the decoder's, until its next read
}

// depth is how deep a well-formed value nests: 0 for a string or a number.
func depth(v jsontext.Value) int {
	deepest, now := 0, 0
	for i, inString := 0, false; i < len(v); i++ {
		switch c := v[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

func notAnObject(d *jsontext.Decoder) error {
	if d.PeekKind() == 0 {
		_, err := d.ReadToken()
		return syntaxFault(err)
	}
	return invalidJSON("The body must be one JSON object.")
}

// syntaxFault says in a sentence what the decoder found, without echoing the
// body.
func syntaxFault(err error) error {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return invalidJSON("The body names a field twice.")
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		if strings.Count(string(syntax.JSONPointer), "/") >= MaxDepth { // the decoder has a limit, too
			return tooDeep()
		}
		return invalidJSON(fmt.Sprintf("The body is not well-formed UTF-8 JSON: see byte %d.", syntax.ByteOffset))
	}
	return invalidJSON("The body is not well-formed UTF-8 JSON.")
}

func tooDeep() error {
	return invalidJSON(fmt.Sprintf("The body nests deeper than %d levels.", MaxDepth))
}

// position is where the field of that name stands, -1 for none.
func position(fields []Field, name string) int {
	for i := range fields { // by index: a field is too large to be copied for each name
		if fields[i].Name == name {
			return i
		}
	}
	return -1
}

// IsJSON reports whether s is one JSON value. It leaves to Decode to say that a
// name stands there twice or that text is not valid.
func IsJSON(s string) bool {
	return jsontext.Value(s).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// IsNumber reports whether s is a JSON number.
func IsNumber(s string) bool {
	v := jsontext.Value(s)
	return v.Kind() == '0' && v.IsValid() && strings.TrimSpace(s) == s
}
