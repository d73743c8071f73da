package script

import (
	"slices"
	"strings"
)

// Reader goes over the words of a statement.
type Reader struct {
	Tokens []Token
	at     int
}

// Read returns a reader of the statement's words.
func (s Statement) Read() *Reader { return &Reader{Tokens: s.Tokens} }

// Done reports whether no word is left.
func (r *Reader) Done() bool { return r.at >= len(r.Tokens) }

// Peek returns the word n places ahead, 0 the next; the zero Token at the end.
func (r *Reader) Peek(n int) Token {
	if r.at+n >= len(r.Tokens) {
		return Token{Kind: end}
	}
	return r.Tokens[r.at+n]
}

// Next returns the next word and passes it.
func (r *Reader) Next() Token {
	t := r.Peek(0)
	r.at++
	return t
}

// Take passes the words if they come next, all of them, and reports whether it
// did. phrase is in lower case.
func (r *Reader) Take(phrase string) bool {
	words := strings.Fields(phrase)
	for i, w := range words {
		if !r.Peek(i).Is(w) {
			return false
		}
	}
	r.at += len(words)
	return true
}

// Name passes a name, quoted or not, and leaves its schema out where that is the
// usual one.
func (r *Reader) Name() (name string, ok bool) {
	for {
		t := r.Next()
		if t.Kind != Word && t.Kind != Name {
			return "", false
		}
		name += t.Text
		if !r.Take(".") {
			return name, true
		}
		name += "."
		if name == "public." || name == "main." {
			name = ""
		}
	}
}

// Parentheses passes what stands in parentheses, these included, and returns a
// reader of what is inside.
func (r *Reader) Parentheses() (*Reader, bool) {
	if !r.Peek(0).Is("(") {
		return nil, false
	}
	depth := 0
	for i := r.at; i < len(r.Tokens); i++ {
		switch t := r.Tokens[i]; {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		if depth == 0 {
			inner := &Reader{Tokens: r.Tokens[r.at+1 : i]}
			r.at = i + 1
			return inner, true
		}
	}
	return nil, false
}

// Split passes all that is left and returns a reader of each part between the
// signs that stand outside of parentheses.
func (r *Reader) Split(sign string) []*Reader {
	var parts []*Reader
	depth, from := 0, r.at
	for i := r.at; i < len(r.Tokens); i++ {
		switch t := r.Tokens[i]; {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case t.Is(sign) && depth == 0:
			parts = append(parts, &Reader{Tokens: r.Tokens[from:i]})
			from = i + 1
		}
	}
	parts = append(parts, &Reader{Tokens: r.Tokens[from:]})
	r.at = len(r.Tokens)
	return parts
}

// Until passes the words before the first that is one of stops and stands outside
// of parentheses, and returns a reader of them.
func (r *Reader) Until(stops ...string) *Reader {
	depth, from := 0, r.at
	for ; r.at < len(r.Tokens); r.at++ {
		t := r.Tokens[r.at]
		if depth == 0 && t.Kind == Word && slices.Contains(stops, t.Text) {
			break
		}
		if t.Is("(") {
			depth++
		} else if t.Is(")") {
			depth--
		}
	}
	return &Reader{Tokens: r.Tokens[from:r.at]}
}

// Has reports whether a phrase stands anywhere in what is left.
func (r *Reader) Has(phrase string) bool {
	for i := r.at; i < len(r.Tokens); i++ {
		if (&Reader{Tokens: r.Tokens, at: i}).Take(phrase) {
			return true
		}
	}
	return false
}

// Rest returns the words that are left.
func (r *Reader) Rest() []Token { return r.Tokens[min(r.at, len(r.Tokens)):] }

// String joins the words that are left with spaces.
func (r *Reader) String() string {
	var words []string
	for _, t := range r.Rest() {
		words = append(words, t.Text)
	}
	return strings.Join(words, " ")
}

// Drops returns the name of the one thing of a kind, such as "table", that the
// statement drops.
func (s Statement) Drops(kind string) (string, bool) {
	r := s.Read()
	if !r.Take("drop " + kind) {
		return "", false
	}
	r.Take("concurrently")
	r.Take("if exists")
	name, ok := r.Name()
	return name, ok && !r.Take(",")
}

// Renames returns the names of a table before and after, if the statement renames
// one.
func (s Statement) Renames() (from, to string, ok bool) {
	r := s.Read()
	if !r.Take("alter table") {
		return "", "", false
	}
	r.Take("if exists")
	r.Take("only")
	from, ok = r.Name()
	if !ok || !r.Take("rename to") {
		return "", "", false
	}
	to, ok = r.Name()
	return from, to, ok
}

// Index is what a statement says of the index that it creates.
type Index struct {
	Name, Table          string
	Unique, Concurrently bool
}

// CreatesIndex returns the index that the statement creates, if it has a name.
func (s Statement) CreatesIndex() (index Index, ok bool) {
	index, ok = s.AnyIndex()
	return index, ok && index.Name != ""
}

// AnyIndex returns the index that the statement creates. Its name is "" where
// PostgreSQL is to find one.
func (s Statement) AnyIndex() (index Index, ok bool) {
	r := s.Read()
	if !r.Take("create") {
		return Index{}, false
	}
	index.Unique = r.Take("unique")
	if !r.Take("index") {
		return Index{}, false
	}
	index.Concurrently = r.Take("concurrently")
	r.Take("if not exists")
	if !r.Take("on") {
		if index.Name, ok = r.Name(); !ok || !r.Take("on") {
			return Index{}, false
		}
	}
	r.Take("only")
	index.Table, ok = r.Name()
	return index, ok
}

// Quote writes a name as SQL.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Without returns the statement without a word.
func (s Statement) Without(word string) Statement {
	start := s.Tokens[0].Start
	for i, t := range s.Tokens {
		if t.Is(word) {
			s.Text = s.Text[:t.Start-start] + strings.TrimLeft(s.Text[t.End-start:], " ")
			s.Tokens = slices.Delete(slices.Clone(s.Tokens), i, i+1)
			break
		}
	}
	return s
}

// DropsColumn returns the table of which the statement drops a column.
func (s Statement) DropsColumn() (table string, ok bool) {
	r := s.Read()
	if !r.Take("alter table") {
		return "", false
	}
	table, ok = r.Name()
	return table, ok && r.Take("drop") && !r.Take("constraint")
}
