package scalar

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

var errNotEmail = errors.New("must be an email address like name@example.com")

// maxLabel is the length of a domain's label in characters (RFC 1035, section
// 2.3.4).
const maxLabel = 63

// CheckEmail refuses what is not one plain local@domain: a dot-atom of RFC 5322
// and a domain's name, either of which may be international (RFC 6531). There
// is no display name, comment, quoted local part or IP address; a domain of one
// label is fine (the product's decisions on records). The length of the whole
// is the caller's to limit.
func CheckEmail(s string) error {
	local, domain, found := strings.Cut(s, "@")
	if !found || !utf8.ValidString(s) || !isDotAtom(local) || !isDomain(domain) {
		return errNotEmail
	}
	return nil
}

// isDotAtom reports whether s is atoms with single dots between them.
func isDotAtom(s string) bool {
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" || strings.ContainsFunc(atom, notAtomText) {
			return false
		}
	}
	return true
}

// notAtomText is the opposite of atext (RFC 5322, section 3.2.3, and RFC 6531,
// section 3.3), less the spaces and control characters outside ASCII.
func notAtomText(r rune) bool {
	if r >= utf8.RuneSelf {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}
	return !isLetterOrDigit(r) && !strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r)
}

// isDomain reports whether s is the name of a domain. A second @ would be in
// it, and is refused.
func isDomain(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if !isLabel(label) {
			return false
		}
	}
	return !looksLikeIPv4(s)
}

func isLabel(s string) bool {
	return s != "" && utf8.RuneCountInString(s) <= maxLabel &&
		s[0] != '-' && s[len(s)-1] != '-' &&
		!strings.ContainsFunc(s, notLabelText)
}

func notLabelText(r rune) bool {
	return !isLetterOrDigit(r) && !unicode.IsMark(r) && r != '-'
}

// looksLikeIPv4 reports whether s is four groups of ASCII digits, which no
// domain is: top-level domains are alphabetic (RFC 3696, section 2).
func looksLikeIPv4(s string) bool {
	return strings.Count(s, ".") == 3 && strings.Trim(s, ".0123456789") == ""
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
