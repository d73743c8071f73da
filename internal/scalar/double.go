package scalar

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

var errNotDouble = errors.New("must be a number that a double-precision float (IEEE 754) holds to the digit, or be sent as a string")

// ParseDouble reads a JSON number into the double (IEEE 754 binary64) that
// stands for it, and refuses one that would come back as another number: too
// large, too small, or with more digits than a double has (RFC 7493, section
// 2.2). 0.1 is fine: the shortest text of its double is 0.1 again.
// 9007199254740993 is not: its double is 9007199254740992. -0 becomes 0.
func ParseDouble(s string) (float64, error) {
	given, ok := significant(s)
	if !ok {
		return 0, errNotNumber
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) {
		return 0, errNotDouble
	}
	if held, _ := significant(strconv.FormatFloat(f, 'e', -1, 64)); held != given {
		return 0, errNotDouble
	}
	return f + 0, nil
}

// digits are those of a number that count: 0.digits times 10^exponent. Equal
// numbers are equal by ==; zero has none, and no sign.
type digits struct {
	neg      bool
	text     string
	exponent int64
}

// significant returns the digits of a JSON number that count. It reports false
// for anything else.
func significant(s string) (digits, bool) {
	n, ok := splitNumber(s)
	if !ok {
		return digits{}, false
	}
	all := n.whole + n.fraction
	text := strings.TrimLeft(all, "0")
	if text == "" {
		return digits{}, true
	}
	point := int64(len(n.whole) - (len(all) - len(text)))
	return digits{n.neg, strings.TrimRight(text, "0"), n.exponent + point}, true
}
