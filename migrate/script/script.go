// Package script reads a migration: the statements of a file in goose's form,
// each with the line it stands on, its comments and its words.
//
// Goose and Atlas split a file where a line ends with a semicolon, also inside of
// a quotation, and Atlas does not keep the line. What is told to an operator about
// a statement must name its line, and what is judged by its words must not be
// fooled by a quotation, so that both are read here, in one pass.
package script

import (
	"fmt"
	"strings"
)

// File is a migration.
type File struct {
	Name          string // 20261121073704_initial.sql
	NoTransaction bool   // it says so, and holds one statement
	Statements    []Statement
	Loose         []Comment // behind the last statement, or beside or within one
}

// Statement is one statement of a migration.
type Statement struct {
	Number   int    // from 1
	Line     int    // of its first word, from 1
	Text     string // without the semicolon behind it
	Tokens   []Token
	Comments []Comment // the lines above it, goose's own left out
}

// Comment is a comment without its dashes, trimmed.
type Comment struct {
	Line int
	Text string
}

// First is the statement's first line, shortened to what a message can hold.
func (s Statement) First() string {
	const most = 120
	line, _, more := strings.Cut(s.Text, "\n")
	line = strings.TrimRight(line, " \t\r(")
	if runes := []rune(line); len(runes) > most {
		line, more = string(runes[:most]), true
	}
	if more {
		line += " …"
	}
	return line
}

// marker is how goose's own comments begin.
const marker = "+goose"

// Parse reads the file of a name. Its error names the file and the line.
func Parse(name string, text []byte, quotes Quotes) (*File, error) {
	p := &parser{file: &File{Name: name}, text: string(text), lexer: lexer{text: string(text), line: 1, quotes: quotes}}
	if err := p.run(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, p.lexer.line, err)
	}
	return p.file, nil
}

type parser struct {
	file   *File
	text   string
	lexer  lexer
	up     bool // -- +goose Up was read
	marked bool // between StatementBegin and StatementEnd
	ended  bool // a semicolon between them has ended the statement
	tokens []Token
	above  []Comment
}

func (p *parser) run() error {
	for {
		token, err := p.lexer.next()
		if err != nil {
			return err
		}
		switch {
		case token.Kind == end:
			return p.finish()
		case token.Kind == comment:
			done, err := p.comment(token)
			if err != nil {
				return err
			}
			if done {
				return p.finish()
			}
		case !p.up:
			return fmt.Errorf("a migration begins with the line -- %s Up", marker)
		case token.Is(";") && !p.marked:
			p.add()
		case p.ended && !token.Is(";"):
			return fmt.Errorf("one statement between -- %s StatementBegin and -- %s StatementEnd: this is behind its semicolon", marker, marker)
		default:
			p.ended = p.marked && token.Is(";") && !inBody(p.tokens, p.lexer.quotes)
			p.tokens = append(p.tokens, token)
			if err := p.refuse(); err != nil {
				return err
			}
		}
	}
}

// comment keeps a comment or obeys one of goose's. It reports whether the file
// goes no further.
func (p *parser) comment(token Token) (done bool, err error) {
	text, isLine := strings.CutPrefix(token.Text, "--")
	text = strings.TrimSpace(text)
	if !isLine {
		text = strings.TrimSpace(strings.Trim(token.Text, "/*"))
	}
	command, isCommand := strings.CutPrefix(text, marker)
	if isLine && isCommand {
		return p.obey(strings.ToUpper(strings.Join(strings.Fields(command), " ")))
	}
	kept := Comment{token.Line, text}
	if isLine && len(p.tokens) == 0 && p.first(token) {
		p.above = append(p.above, kept)
	} else {
		p.file.Loose = append(p.file.Loose, kept)
	}
	return false, nil
}

// first reports whether nothing but white space stands before it on its line.
func (p *parser) first(token Token) bool {
	before := p.text[:token.Start]
	return strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == ""
}

func (p *parser) obey(command string) (done bool, err error) {
	switch {
	case command == "UP" && !p.up:
		p.up = true
	case command == "NO TRANSACTION" && len(p.file.Statements) == 0 && len(p.tokens) == 0:
		p.file.NoTransaction = true
	case command == "STATEMENTBEGIN" && p.up && !p.marked && len(p.tokens) == 0:
		p.marked = true
	case command == "STATEMENTEND" && p.marked:
		p.add()
		p.marked, p.ended = false, false
	case command == "DOWN" && p.up && !p.marked:
		return true, nil // there is no way down
	default:
		return false, fmt.Errorf("-- %s %s has no meaning here", marker, command)
	}
	return false, nil
}

// add ends a statement.
func (p *parser) add() {
	for len(p.tokens) > 0 && p.tokens[len(p.tokens)-1].Is(";") {
		p.tokens = p.tokens[:len(p.tokens)-1]
	}
	if len(p.tokens) == 0 {
		return // a semicolon of its own
	}
	first, last := p.tokens[0], p.tokens[len(p.tokens)-1]
	p.file.Statements = append(p.file.Statements, Statement{
		Number: len(p.file.Statements) + 1, Line: first.Line,
		Text: p.text[first.Start:last.End], Tokens: p.tokens, Comments: p.above,
	})
	p.tokens, p.above = nil, nil
}

func (p *parser) finish() error {
	if p.marked {
		return fmt.Errorf("-- %s StatementBegin without -- %s StatementEnd", marker, marker)
	}
	p.add()
	p.file.Loose = append(p.file.Loose, p.above...)
	if !p.up {
		return fmt.Errorf("a migration begins with the line -- %s Up", marker)
	}
	if n := len(p.file.Statements); p.file.NoTransaction && n != 1 {
		return fmt.Errorf("a migration without a transaction holds exactly one statement, so that it can be repeated; this one has %d", n)
	}
	return nil
}
