package script

import (
	"errors"
	"strings"
)

// Kind is what a token is.
type Kind int

// The kinds of tokens.
const (
	Word    Kind = iota // a keyword or a name without quotes
	Name                // a name in quotes
	Literal             // a string or a number
	Sign                // one character of anything else
	comment
	end
)

// Token is a word of a statement.
type Token struct {
	Kind       Kind
	Text       string // a name without its quotes, a word (and any name of SQLite) in lower case
	Line       int
	Start, End int // in the file, in bytes
}

// Is reports whether the token is a word, in any case, or a sign.
func (t Token) Is(text string) bool {
	return (t.Kind == Word || t.Kind == Sign) && t.Text == text
}

// Quotes is how a dialect quotes.
type Quotes int

// What the two databases do differently: PostgreSQL has dollar quotes, escapes in
// E”, comments within comments and comments that end at a carriage return, SQLite
// has names in ` and [], and no capitals in names.
const (
	Postgres Quotes = iota
	SQLite
)

type lexer struct {
	text   string
	at     int
	line   int
	quotes Quotes
}

// next returns the next token. The lexer stands on its last line afterwards.
func (l *lexer) next() (Token, error) {
	l.space()
	if l.at == len(l.text) {
		return Token{Kind: end, Line: l.line, Start: l.at, End: l.at}, nil
	}
	start, line := l.at, l.line
	kind, text, err := l.scan()
	l.line += strings.Count(l.text[start:l.at], "\n")
	return Token{kind, text, line, start, l.at}, err
}

func (l *lexer) space() {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n\f\v", l.text[l.at]) >= 0 {
		if l.text[l.at] == '\n' {
			l.line++
		}
		l.at++
	}
}

// scan moves behind the token that begins here.
func (l *lexer) scan() (Kind, string, error) {
	rest, c := l.text[l.at:], l.text[l.at]
	switch {
	case strings.HasPrefix(rest, "--"):
		ends := "\n"
		if l.quotes == Postgres {
			ends = "\r\n"
		}
		length := strings.IndexAny(rest, ends)
		if length < 0 {
			length = len(rest)
		}
		l.at += length
		return comment, strings.TrimRight(rest[:length], "\r"), nil
	case strings.HasPrefix(rest, "/*"):
		return l.block()
	case c == '\'':
		return l.quoted(Literal, '\'', false)
	case (c == 'e' || c == 'E') && strings.HasPrefix(rest[1:], "'") && l.quotes == Postgres:
		l.at++
		return l.quoted(Literal, '\'', true)
	case c == '"' && l.quotes == Postgres:
		return l.quoted(Name, c, false)
	case l.quotes == SQLite && strings.IndexByte("\"`[", c) >= 0:
		if c == '[' {
			c = ']'
		}
		kind, name, err := l.quoted(Name, c, false)
		return kind, strings.Map(lower, name), err
	case c == '$' && l.quotes == Postgres && dollarTag(rest) != "":
		return l.dollar(dollarTag(rest))
	case isLetter(c):
		length := 1
		for length < len(rest) && (isLetter(rest[length]) || isDigit(rest[length]) || rest[length] == '$') {
			length++
		}
		l.at += length
		return Word, strings.ToLower(rest[:length]), nil
	case isDigit(c):
		length := 1
		for length < len(rest) && (isLetter(rest[length]) || isDigit(rest[length]) || rest[length] == '.') {
			length++
		}
		l.at += length
		return Literal, rest[:length], nil
	}
	l.at++
	return Sign, rest[:1], nil
}

// quoted reads to the closing quote; two of them stand for one, and with escapes
// a backslash takes the next character along.
func (l *lexer) quoted(kind Kind, closing byte, escapes bool) (Kind, string, error) {
	var text strings.Builder
	for i := l.at + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case escapes && c == '\\' && i+1 < len(l.text):
			i++
			text.WriteByte(l.text[i])
		case c != closing:
			text.WriteByte(c)
		case closing != ']' && strings.HasPrefix(l.text[i+1:], string(closing)):
			i++
			text.WriteByte(c)
		default:
			l.at = i + 1
			return kind, text.String(), nil
		}
	}
	return kind, "", errors.New("a quotation does not end")
}

// dollarTag returns $$ or $tag$ where text begins with it.
func dollarTag(text string) string {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '$':
			return text[:i+1]
		case !isLetter(text[i]) && (i == 1 || !isDigit(text[i])):
			return ""
		}
	}
	return ""
}

func (l *lexer) dollar(tag string) (Kind, string, error) {
	body := l.text[l.at+len(tag):]
	length := strings.Index(body, tag)
	if length < 0 {
		return Literal, "", errors.New("a quotation does not end: " + tag)
	}
	l.at += len(tag) + length + len(tag)
	return Literal, body[:length], nil
}

// block reads a comment of several lines. In PostgreSQL they nest.
func (l *lexer) block() (Kind, string, error) {
	depth := 0
	for i := l.at; i < len(l.text)-1; i++ {
		switch l.text[i : i+2] {
		case "/*":
			if depth == 0 || l.quotes == Postgres {
				depth++
				i++
			}
		case "*/":
			depth--
			i++
		}
		if depth == 0 {
			text := l.text[l.at : i+1]
			l.at = i + 1
			return comment, text, nil
		}
	}
	return comment, "", errors.New("a comment does not end")
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// lower folds a name as SQLite does, quoted or not: ASCII alone.
func lower(c rune) rune {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
