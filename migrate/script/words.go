package script

// Words are the words of a text, such as the body of a function, comments left
// out.
func Words(text string, quotes Quotes) (words []string, err error) {
	l := lexer{text: text, line: 1, quotes: quotes}
	for {
		t, err := l.next()
		if err != nil || t.Kind == end {
			return words, err
		}
		if t.Kind != comment {
			words = append(words, t.Text)
		}
	}
}
