package condition

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// token is a name or a keyword, a number, a text, an operator or a parenthesis. A
// text has no quote in it, and a name no capital, which PostgreSQL would fold.
var token = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]*)?|-?[0-9][0-9A-Za-z_.]*|'[^']*'|<>|!=|<=|>=|[=<>(),]`)

var name = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

var keywords = regexp.MustCompile(`(?i)^(and|or|not|is|null|in|true|false)$`)

// operand reads a column or a value.
func (p *parser) operand() (o Operand, err error) {
	word := p.next()
	switch {
	case p.take("true"), p.take("false"):
		o.Value = strings.EqualFold(word, "true")
		return o, nil
	case strings.HasPrefix(word, "'"):
		o.Value = strings.Trim(word, "'")
		if strings.ContainsFunc(word, func(r rune) bool { return strings.ContainsRune("\"`\\;", r) || !unicode.IsPrint(r) }) {
			err = fmt.Errorf("the text %s has other signs than letters, digits, spaces and plain punctuation", word)
		}
	case strings.Trim(word, "-0123456789") == "" && word != "":
		n, wrong := strconv.ParseInt(word, 10, 64)
		if wrong != nil {
			err = fmt.Errorf("the number %s has more than 64 bits", word)
		}
		o.Value = json.Number(strconv.FormatInt(n, 10))
	case name.MatchString(word) && !keywords.MatchString(word):
		o.Column = word
	default:
		return o, fmt.Errorf("%q is no field and no value", word)
	}
	p.words = p.words[1:]
	return o, err
}

// next is the word that comes, "" at the end.
func (p *parser) next() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

func (p *parser) take(word string) bool {
	if !strings.EqualFold(p.next(), word) {
		return false
	}
	p.words = p.words[1:]
	return true
}

func (p *parser) want(word string) error {
	if !p.take(word) {
		return fmt.Errorf("%q stands where %q belongs", p.next(), word)
	}
	return nil
}
