package scalar

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

var errNotDate = errors.New("must be a date as YYYY-MM-DD")

// Date is a day of the (proleptic) Gregorian calendar, without time or zone,
// from 0001-01-01, which is the zero value, to 9999-12-31: the days that both
// RFC 3339 and PostgreSQL can write, which has no year 0. Equal days are equal
// by ==.
type Date struct {
	year, month, day int16 // each counted from 0, so that the zero value is a day
}

// ParseDate reads a real calendar day as YYYY-MM-DD (RFC 3339, full-date), in
// exactly ten ASCII characters.
func ParseDate(s string) (Date, error) {
	if len(s) != len(time.DateOnly) {
		return Date{}, errNotDate
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, errNotDate
	}
	return DateOf(t)
}

// DateOf returns the day of t in t's own zone. A year before 1 or after 9999 is
// an error.
func DateOf(t time.Time) (Date, error) {
	year, month, day := t.Date()
	if year < 1 || year > 9999 {
		return Date{}, errNotDate
	}
	return Date{year: int16(year - 1), month: int16(month - 1), day: int16(day - 1)}, nil
}

// AppendText appends the day as YYYY-MM-DD. It never fails.
func (d Date) AppendText(b []byte) ([]byte, error) {
	b = appendPadded(b, int(d.year)+1, 4)
	b = appendPadded(append(b, '-'), int(d.month)+1, 2)
	return appendPadded(append(b, '-'), int(d.day)+1, 2), nil
}

// String returns the day as YYYY-MM-DD.
func (d Date) String() string {
	b, _ := d.AppendText(make([]byte, 0, len(time.DateOnly)))
	return string(b)
}

// MarshalJSON returns the day as a JSON string.
func (d Date) MarshalJSON() ([]byte, error) {
	b, err := d.AppendText([]byte{'"'})
	return append(b, '"'), err
}

// UnmarshalJSON reads a JSON string as ParseDate does. As is customary in
// encoding/json, null changes nothing.
func (d *Date) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return errNotDate // the decoder's own message could quote the input
	}
	parsed, err := ParseDate(s)
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// Value returns the day as text, which both databases take.
func (d Date) Value() (driver.Value, error) { return d.String(), nil }

// Scan reads what a database returns for a day: text, or a time, of which the
// day in its own zone counts. It refuses NULL, and days such as PostgreSQL's
// infinity that a Date does not have.
func (d *Date) Scan(src any) error {
	parsed, err := scanDate(src)
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

func scanDate(src any) (d Date, err error) {
	switch v := src.(type) {
	case time.Time:
		d, err = DateOf(v)
	case string:
		d, err = ParseDate(v)
	case []byte:
		d, err = ParseDate(string(v))
	default:
		return Date{}, fmt.Errorf("a stored date cannot be read from %T", src)
	}
	if err != nil {
		return Date{}, fmt.Errorf("a stored date %w", err)
	}
	return d, nil
}
