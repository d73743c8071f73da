package main

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

// faulty is a body that is refused.
type faulty struct{ message string }

func (e *faulty) Error() string { return e.message }

func answer(w http.ResponseWriter, status int, body []byte, err error) {
	if err != nil {
		failed(w, err)
		return
	}
	respond(w, status, body)
}

func respond(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone: nothing is left to tell it
}

// failed answers what went wrong.
func failed(w http.ResponseWriter, err error) {
	var bad *faulty
	switch {
	case errors.Is(err, sql.ErrNoRows):
		fail(w, http.StatusNotFound, "not_found", "There is no such record.")
	case errors.As(err, &bad):
		fail(w, http.StatusBadRequest, "validation_failed", bad.message)
	case isForeignKeyViolation(err):
		fail(w, http.StatusBadRequest, "invalid_reference", "project_id refers to no record.")
	default:
		fmt.Fprintln(os.Stderr, "baseline:", err)
		fail(w, http.StatusInternalServerError, "internal_error", "Something went wrong.")
	}
}

func fail(w http.ResponseWriter, status int, code, message string) {
	b := appendText([]byte(`{"error":`), code)
	b = appendText(append(b, `,"message":`...), message)
	respond(w, status, append(b, '}'))
}

// text is what a string column is scanned into or a body holds.
type text interface{ ~string | ~[]byte }

// appendText appends a JSON string. Only quotes, backslashes and control
// characters are escaped.
func appendText[T text](b []byte, s T) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		if c < ' ' {
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		} else {
			b = append(b, '\\', c)
		}
		from = i + 1
	}
	return append(append(b, s[from:]...), '"')
}

// appendTime appends a moment in UTC with milliseconds.
func appendTime(b []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(b, `"2006-01-02T15:04:05.000Z"`)
}
