package scalar

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
)

// Digits that a Decimal can have (the product's decisions on records).
const (
	wholeDigits    = 15 // before the point
	fractionDigits = 4  // after it
)

var (
	errNotNumber     = errors.New("must be a number in JSON's notation, such as -12.5")
	errTooManyDigits = errors.New("must be a number with at most 15 digits before and 4 after the point")
)

// powers are those of ten that a digit can stand for, scaled as a Decimal is.
var powers = func() (p [fractionDigits + wholeDigits]uint64) {
	power := uint64(1)
	for i := range p {
		p[i] = power
		power *= 10
	}
	return p
}()

// Decimal is an exact number of at most 15 digits before and 4 after the point.
// The zero value is 0. Equal numbers are equal by ==: there is no negative zero.
type Decimal struct {
	neg bool
	abs uint64 // the amount times 10^4; int64 would not hold the largest
}

// ParseDecimal reads a JSON number (RFC 8259, section 6). Digits are counted
// without the zeros at either end, so 1.10000 is 1.1 and 100000e-5 is 1. More
// digits than a Decimal has are an error; nothing is ever rounded. The cost is
// linear in the text's length, however large the exponent.
func ParseDecimal(s string) (Decimal, error) {
	n, ok := splitNumber(s)
	if !ok {
		return Decimal{}, errNotNumber
	}
	whole, ok := sumDigits(n.whole, n.exponent+int64(len(n.whole))-1)
	if !ok {
		return Decimal{}, errTooManyDigits
	}
	fraction, ok := sumDigits(n.fraction, n.exponent-1)
	if !ok {
		return Decimal{}, errTooManyDigits
	}
	abs := whole + fraction // no overflow: each digit has a place of its own
	return Decimal{neg: n.neg && abs != 0, abs: abs}, nil
}

// sumDigits returns what the digits come to, times 10^4, where the first of
// them counts 10^place. It reports false if a digit other than 0 stands where a
// Decimal has none.
func sumDigits(digits string, place int64) (uint64, bool) {
	var sum uint64
	for i := range len(digits) {
		if c := digits[i]; c != '0' {
			at := place - int64(i)
			if at < -fractionDigits || at >= wholeDigits {
				return 0, false
			}
			sum += uint64(c-'0') * powers[at+fractionDigits]
		}
	}
	return sum, true
}

// AppendText appends the number in plain notation: no exponent, no zeros that
// do not count, as in -0.5, 1000 or 1.1. It never fails.
func (d Decimal) AppendText(b []byte) ([]byte, error) {
	if d.neg {
		b = append(b, '-')
	}
	unit := powers[fractionDigits]
	b = strconv.AppendUint(b, d.abs/unit, 10)
	fraction := d.abs % unit
	if fraction == 0 {
		return b, nil
	}
	b = appendPadded(append(b, '.'), int(fraction), fractionDigits)
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b, nil
}

// String returns the number as AppendText writes it.
func (d Decimal) String() string {
	b, _ := d.AppendText(make([]byte, 0, len("-.")+wholeDigits+fractionDigits))
	return string(b)
}

// MarshalJSON returns the number as a JSON number.
func (d Decimal) MarshalJSON() ([]byte, error) { return d.AppendText(nil) }

// UnmarshalJSON reads a JSON number as ParseDecimal does. As is customary in
// encoding/json, null changes nothing.
func (d *Decimal) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	parsed, err := ParseDecimal(string(b))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// Value returns the number as text, in which both databases keep or take it
// without rounding.
func (d Decimal) Value() (driver.Value, error) { return d.String(), nil }

// Scan reads what a database returns: text, as of PostgreSQL's numeric(19,4),
// or a whole number. It refuses NULL, and floats, which are no longer exact.
func (d *Decimal) Scan(src any) error {
	parsed, err := scanDecimal(src)
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

func scanDecimal(src any) (d Decimal, err error) {
	switch v := src.(type) {
	case string:
		d, err = ParseDecimal(v)
	case []byte:
		d, err = ParseDecimal(string(v))
	case int64:
		d, err = ParseDecimal(strconv.FormatInt(v, 10))
	default:
		return Decimal{}, fmt.Errorf("a stored decimal cannot be read from %T", src)
	}
	if err != nil {
		return Decimal{}, fmt.Errorf("a stored decimal %w", err)
	}
	return d, nil
}
