package rest

import (
	"encoding/hex"
	"strconv"
	"time"

	"github.com/google/uuid"

	"records/internal/scalar"
)

// AppendNullable appends what a pointer holds, or null.
func AppendNullable[T any](b []byte, v *T, appendValue func([]byte, T) []byte) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	return appendValue(b, *v)
}

// AppendUUID appends an id as a JSON string, in lower case.
func AppendUUID(b []byte, id uuid.UUID) []byte {
	b = append(b, '"')
	for i, group := range [...][]byte{id[0:4], id[4:6], id[6:8], id[8:10], id[10:16]} {
		if i > 0 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, group)
	}
	return append(b, '"')
}

// AppendDate appends a day as a JSON string.
func AppendDate(b []byte, d scalar.Date) []byte {
	b = append(b, '"')
	b, _ = d.AppendText(b) // a Date that exists can be written
	return append(b, '"')
}

// AppendTimestamp appends a moment as a JSON string: RFC 3339, UTC, milliseconds.
func AppendTimestamp(b []byte, t time.Time) []byte {
	return append(scalar.AppendTimestamp(append(b, '"'), t), '"')
}

// AppendDuration appends a length of time as a JSON string: PT36H15M.
func AppendDuration(b []byte, d time.Duration) []byte {
	return append(scalar.AppendDuration(append(b, '"'), d), '"')
}

// AppendDecimal appends an exact number.
func AppendDecimal(b []byte, d scalar.Decimal) []byte {
	b, _ = d.AppendText(b) // a Decimal that exists can be written
	return b
}

// AppendTimestamps ends a record with what the server set.
func AppendTimestamps(b []byte, created, updated time.Time) []byte {
	b = append(b, `,"created_at":`...)
	b = AppendTimestamp(b, created)
	b = append(b, `,"updated_at":`...)
	b = AppendTimestamp(b, updated)
	return append(b, '}')
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }
