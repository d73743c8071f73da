package main

import (
	"database/sql"
	"fmt"
	"time"
)

// row is a task as it is scanned: in the driver's own memory until the next row.
type row struct {
	id, name, status, priority, project, assignee, due, description sql.RawBytes
	created, updated                                                moment
}

// targets are where the columns of a task go, in the order of taskColumns.
func (r *row) targets(more ...any) []any {
	return append([]any{&r.id, &r.name, &r.status, &r.priority, &r.project, &r.assignee, &r.due, &r.description, &r.created, &r.updated}, more...)
}

func (r *row) append(b []byte) []byte {
	b = appendPlain(append(b, `{"id":`...), r.id)
	b = appendText(append(b, `,"name":`...), r.name)
	b = appendNullable(append(b, `,"status":`...), r.status)
	b = appendNullable(append(b, `,"priority":`...), r.priority)
	b = appendPlain(append(b, `,"project_id":`...), r.project)
	b = appendPlain(append(b, `,"assignee_id":`...), r.assignee)
	b = appendPlain(append(b, `,"due_date":`...), r.due)
	b = appendNullable(append(b, `,"description":`...), r.description)
	return appendTimes(b, r.created.Time, r.updated.Time)
}

// appendInput appends a task that was just created.
func appendInput(b []byte, id string, in *input, now time.Time) []byte {
	b = appendText(append(b, `{"id":`...), id)
	b = appendText(append(b, `,"name":`...), *in.Name.value)
	b = appendPointer(append(b, `,"status":`...), in.Status.value)
	b = appendPointer(append(b, `,"priority":`...), in.Priority.value)
	b = appendPointer(append(b, `,"project_id":`...), in.ProjectID.value)
	b = appendPointer(append(b, `,"assignee_id":`...), in.AssigneeID.value)
	b = appendPointer(append(b, `,"due_date":`...), in.DueDate.value)
	b = appendPointer(append(b, `,"description":`...), in.Description.value)
	return appendTimes(b, now, now)
}

func appendTimes(b []byte, created, updated time.Time) []byte {
	b = appendTime(append(b, `,"created_at":`...), created)
	b = appendTime(append(b, `,"updated_at":`...), updated)
	return append(b, '}')
}

// appendPlain appends what needs no escapes: an id, a date.
func appendPlain(b, s []byte) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return append(append(append(b, '"'), s...), '"')
}

func appendNullable(b, s []byte) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return appendText(b, s)
}

func appendPointer(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return appendText(b, *s)
}

// moment is a time in a column: SQLite's driver returns the text of one that comes
// from RETURNING.
type moment struct{ time.Time }

// Scan implements sql.Scanner.
func (m *moment) Scan(value any) (err error) {
	switch v := value.(type) {
	case time.Time:
		m.Time = v
	case string:
		m.Time, err = time.Parse("2006-01-02 15:04:05.999999999-07:00", v)
	default:
		err = fmt.Errorf("a time is a %T", value)
	}
	return err
}
