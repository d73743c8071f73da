package condition

import (
	"errors"
	"fmt"
	"strings"
)

// Allowed says what a rule may consist of.
const Allowed = "a rule is made of fields compared with =, <>, !=, <, <=, > or >= to a field or a value, IS NULL, IS NOT NULL, IN (…), AND, OR, NOT and parentheses; a value is a whole number, a 'text', true or false"

// Parse reads a rule.
func Parse(text string) (Rule, error) {
	p := parser{words: token.FindAllString(text, -1)}
	if rest := strings.TrimSpace(token.ReplaceAllString(text, "")); rest != "" {
		return Rule{}, fmt.Errorf("%q has no place in it", rest)
	}
	root, err := p.either()
	if err == nil && p.next() != "" {
		err = fmt.Errorf("%q has no place there", p.next())
	}
	return Rule{root}, err
}

var operators = map[string]string{"=": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

type parser struct{ words []string }

func (p *parser) either() (node, error) {
	parts, err := p.list("OR", func() (node, error) {
		parts, err := p.list("AND", p.not)
		if len(parts) == 1 {
			return parts[0], err
		}
		return all(parts), err
	})
	if len(parts) == 1 {
		return parts[0], err
	}
	return either(parts), err
}

func (p *parser) list(by string, read func() (node, error)) (parts []node, err error) {
	for {
		n, err := read()
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
		if !p.take(by) {
			return parts, nil
		}
	}
}

func (p *parser) not() (node, error) {
	switch {
	case p.take("NOT"):
		n, err := p.not()
		return not{n}, err
	case p.take("("):
		n, err := p.either()
		if err == nil {
			err = p.want(")")
		}
		return n, err
	}
	return p.test()
}

func (p *parser) test() (node, error) {
	column, err := p.operand()
	t := Test{Column: column.Column, Op: operators[p.next()]}
	switch {
	case err != nil:
		return nil, err
	case t.Column == "":
		return nil, errors.New("a comparison begins with a field")
	case p.take("IS"):
		if t.Op = Null; p.take("NOT") {
			t.Op = NotNull
		}
		return t, p.want("NULL")
	case p.take(In):
		t.Op = In
		return p.in(t)
	case t.Op == "":
		return nil, fmt.Errorf("%s is followed by %q, which is no comparison", t.Column, p.next())
	}
	p.words = p.words[1:]
	right, err := p.operand()
	t.Operands = []Operand{right}
	return t, err
}

func (p *parser) in(t Test) (node, error) {
	for between := "("; ; between = "," {
		if err := p.want(between); err != nil {
			return nil, err
		}
		o, err := p.operand()
		if err == nil && o.Column != "" {
			err = fmt.Errorf("IN takes values, and %s is a field", o.Column)
		}
		if err != nil {
			return nil, err
		}
		t.Operands = append(t.Operands, o)
		if p.take(")") {
			return t, nil
		}
	}
}
