package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// optional is a field of a body: left out, null, or a string.
type optional struct {
	set   bool
	value *string
}

// UnmarshalJSON implements json.Unmarshaler; it is called for null, too.
func (o *optional) UnmarshalJSON(b []byte) error {
	o.set = true
	return json.Unmarshal(b, &o.value)
}

// input is a body that creates or updates a task.
type input struct {
	Name        optional `json:"name"`
	Status      optional `json:"status"`
	Priority    optional `json:"priority"`
	ProjectID   optional `json:"project_id"`
	AssigneeID  optional `json:"assignee_id"`
	DueDate     optional `json:"due_date"`
	Description optional `json:"description"`
	// Ignored, so that what was fetched can be sent back.
	ID        json.RawMessage `json:"id"`
	CreatedAt json.RawMessage `json:"created_at"`
	UpdatedAt json.RawMessage `json:"updated_at"`
}

// decode reads a body and checks it. Its errors are *faulty.
func decode(raw []byte, create bool) (in input, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return in, &faulty{err.Error()}
	}
	if _, err := d.Token(); err != io.EOF {
		return in, &faulty{"the body is more than one object"}
	}
	return in, in.check(create)
}

func (in *input) check(create bool) error {
	if create && !in.Name.set || in.Name.set && (in.Name.value == nil || strings.TrimSpace(*in.Name.value) == "") {
		return &faulty{"name is required"}
	}
	for _, f := range []struct {
		name string
		o    *optional
		ok   func(string) bool
	}{
		{"name", &in.Name, atMost(255)},
		{"status", &in.Status, atMost(64)},
		{"priority", &in.Priority, atMost(64)},
		{"project_id", &in.ProjectID, isUUID},
		{"assignee_id", &in.AssigneeID, isUUID},
		{"due_date", &in.DueDate, isDate},
		{"description", &in.Description, atMost(65536)},
	} {
		if f.o.value != nil && !f.ok(*f.o.value) {
			return &faulty{f.name + " is not valid"}
		}
	}
	return nil
}

func atMost(n int) func(string) bool {
	return func(s string) bool {
		return (len(s) <= n || utf8.RuneCountInString(s) <= n) && strings.IndexByte(s, 0) < 0
	}
}

func isUUID(s string) bool { return len(s) == 36 && uuid.Validate(s) == nil }

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
