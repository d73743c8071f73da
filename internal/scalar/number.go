package scalar

import "strings"

// maxExponent bounds the exponent that is kept of a number. It is far beyond
// the length of any text, so that no run of digits can make up for it and a
// larger one has the same verdict; and far below the limits of int64, so that
// adding a length to it cannot overflow.
const maxExponent = 1 << 50

// number is a JSON number taken apart.
type number struct {
	neg      bool
	whole    string // the digits before the point, at least one
	fraction string // those after it
	exponent int64
}

// splitNumber takes a number apart by RFC 8259, section 6. It reports false for
// anything else: a leading + or 0, no digit on one side of the point, NaN.
func splitNumber(s string) (n number, ok bool) {
	s, n.neg = strings.CutPrefix(s, "-")
	n.whole, s = cutDigits(s)
	if n.whole == "" || (n.whole[0] == '0' && len(n.whole) > 1) {
		return number{}, false
	}
	if rest, found := strings.CutPrefix(s, "."); found {
		n.fraction, s = cutDigits(rest)
		if n.fraction == "" {
			return number{}, false
		}
	}
	if s == "" {
		return n, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return number{}, false
	}
	n.exponent, ok = parseExponent(s[1:])
	return n, ok
}

// parseExponent reads an optional sign and at least one digit. What is beyond
// maxExponent comes back as some number beyond it.
func parseExponent(s string) (exponent int64, ok bool) {
	s, neg := strings.CutPrefix(s, "-")
	if !neg {
		s = strings.TrimPrefix(s, "+")
	}
	digits, rest := cutDigits(s)
	if digits == "" || rest != "" {
		return 0, false
	}
	for i := 0; i < len(digits) && exponent <= maxExponent; i++ {
		exponent = exponent*10 + int64(digits[i]-'0')
	}
	if neg {
		exponent = -exponent
	}
	return exponent, true
}

// cutDigits splits s behind its leading ASCII digits.
func cutDigits(s string) (digits, rest string) {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return s[:n], s[n:]
}

// appendPadded appends n, which is not negative, in exactly width digits.
func appendPadded(b []byte, n, width int) []byte {
	start := len(b)
	for range width {
		b = append(b, '0')
	}
	for i := len(b) - 1; i >= start; i-- {
		b[i] += byte(n % 10)
		n /= 10
	}
	return b
}
