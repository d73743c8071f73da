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

// joiners show nothing themselves, but say whether letters join: Persian domains have
// the first, Sinhala ones the second.
const joiners = "\u200c\u200d"

// inner are the characters that a label has only between others: the hyphen, and those
// that single scripts need, the middle dots of Catalan and Japanese and Hebrew's marks of
// abbreviation among them (RFC 5892, appendix A).
const inner = "-·・׳״" + joiners

func isLabel(s string) bool {
	if s == "" || utf8.RuneCountInString(s) > maxLabel || strings.Trim(s, inner) != s || strings.ContainsFunc(s, notLabelText) {
		return false
	}
	for i, r := range s {
		if strings.ContainsRune(joiners, r) && s[i-1] < utf8.RuneSelf { // ASCII does not join
			return false
		}
	}
	return true
}

func notLabelText(r rune) bool {
	return !isLetterOrDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(inner, r)
}

// looksLikeIPv4 reports whether s is four groups of ASCII digits, which no
// domain is: top-level domains are alphabetic (RFC 3696, section 2).
func looksLikeIPv4(s string) bool {
	return strings.Count(s, ".") == 3 && strings.Trim(s, ".0123456789") == ""
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
