package script

import (
	"errors"
	"fmt"
	"slices"
)

// inBody reports whether the words of an unfinished statement end within the body
// of a SQLite trigger or of a function that begins with BEGIN ATOMIC. There a
// semicolon ends an inner statement; the first END behind one ends the body, for
// none of the inner statements begins with that word.
func inBody(tokens []Token, quotes Quotes) bool {
	r := &Reader{Tokens: tokens}
	if !r.Take("create") {
		return false
	}
	if quotes == SQLite {
		_ = r.Take("temp") || r.Take("temporary")
		return r.Take("trigger") && !r.Has("; end")
	}
	r.Take("or replace")
	if !r.Take("function") && !r.Take("procedure") {
		return false
	}
	for !r.Done() {
		r.Until("begin")
		if r.Take("begin atomic") {
			return !r.Has("; end") && !r.Peek(0).Is("end")
		}
		r.Next()
	}
	return false
}

// transactions are the first words of what begins or ends a transaction, or a part
// of one.
var transactions = []string{"begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release"}

// refuse looks at the newest word of a statement. A migration that ended its own
// transaction could not be undone, whatever its comments say; and two forms of
// quotation would be read otherwise here than by PostgreSQL.
func (p *parser) refuse() error {
	n := len(p.tokens)
	last := p.tokens[n-1]
	first := &Reader{Tokens: p.tokens}
	if n == 1 && last.Kind == Word && slices.Contains(transactions, last.Text) || n == 2 && first.Take("prepare transaction") {
		return fmt.Errorf("%s: a migration neither begins nor ends a transaction, for it runs in one; a body from BEGIN to END stands between -- %s StatementBegin and -- %s StatementEnd",
			p.text[p.tokens[0].Start:last.End], marker, marker)
	}
	if p.lexer.quotes != Postgres || p.text[last.Start] != '\'' && p.text[last.Start] != '"' {
		return nil
	}
	if n > 1 && p.tokens[n-2].Kind == Literal && (p.text[p.tokens[n-2].Start]|0x20) == 'e' {
		return errors.New("an E'…' that goes on behind its end is not understood: write it as one")
	}
	if n > 2 && p.text[p.tokens[n-3].Start:last.Start] == "u&" || n > 2 && p.text[p.tokens[n-3].Start:last.Start] == "U&" {
		return errors.New("a quotation with U& and its escapes is not understood: write the characters themselves")
	}
	return nil
}
