package condition

import (
	"fmt"
	"strings"
)

// Decimal is the kind of a column with exact decimals, which SQLite keeps as text.
const Decimal = "decimal"

// SQL is the rule as the dialect has to be told it. kindOf is what a column holds.
func (r Rule) SQL(dialect string, kindOf func(column string) string) string {
	var s spelling = quoted{}
	if dialect == "sqlite3" {
		s = sqlite{kindOf}
	}
	text := r.root.write(s)
	if strings.HasPrefix(text, "(") { // Atlas would take that parenthesis for one around it all
		text = "(" + text + ")"
	}
	return text
}

// spelling is how a test is written.
type spelling interface{ test(t Test) string }

type (
	plain  struct{}
	quoted struct{}
	sqlite struct{ kindOf func(column string) string }
)

func (plain) test(t Test) string {
	return written(t, t.Column, func(o Operand) string { return spelled(o, o.Column) })
}

// test quotes names: a field may be called like a word of SQL.
func (quoted) test(t Test) string {
	if t.Op == In {
		return oneOf(t, quoted{})
	}
	return written(t, quote(t.Column), func(o Operand) string { return spelled(o, quote(o.Column)) })
}

// test writes decimals as the text that they are there. Equal ones are equal texts;
// which one is greater, the sign of their difference says.
func (s sqlite) test(t Test) string {
	switch {
	case s.kindOf(t.Column) != Decimal || len(t.Operands) == 0:
		return quoted{}.test(t)
	case t.Op == In:
		return oneOf(t, s)
	}
	text := func(o Operand) string {
		if o.Column != "" {
			return quote(o.Column)
		}
		return fmt.Sprintf("'%v'", o.Value)
	}
	if t.Op == "=" || t.Op == "<>" {
		return written(t, quote(t.Column), text)
	}
	a, b := quote(t.Column), text(t.Operands[0])
	return fmt.Sprintf("(CAST(%s AS INTEGER) - CAST(%s AS INTEGER)) * 10000 + %s - %s %s 0", a, b, fraction(a), fraction(b), t.Op)
}

// oneOf writes IN as comparisons. PostgreSQL would keep a list of texts as an array that
// it tells in other words each time it is told them, and so as another check.
func oneOf(t Test, s spelling) string {
	texts := make([]string, len(t.Operands))
	for i, o := range t.Operands {
		texts[i] = s.test(Test{t.Column, "=", []Operand{o}})
	}
	return "(" + strings.Join(texts, " OR ") + ")"
}

// fraction is what stands behind the point, in ten thousandths and with the sign.
func fraction(x string) string {
	return fmt.Sprintf("CAST(substr(substr(%s, instr(%[1]s || '.', '.') + 1) || '0000', 1, 4) AS INTEGER) * CASE substr(%[1]s, 1, 1) WHEN '-' THEN -1 ELSE 1 END", x)
}

func written(t Test, column string, spell func(Operand) string) string {
	texts := make([]string, len(t.Operands))
	for i, o := range t.Operands {
		texts[i] = spell(o)
	}
	right := strings.Join(texts, ", ")
	if t.Op == In {
		right = "(" + right + ")"
	}
	return strings.TrimSpace(column + " " + t.Op + " " + right)
}

// spelled is a value, or the column as it is given.
func spelled(o Operand, column string) string {
	switch v := o.Value.(type) {
	case nil:
		return column
	case string:
		return "'" + v + "'"
	default:
		return fmt.Sprint(v)
	}
}

func quote(name string) string { return `"` + name + `"` }
