package rest

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Whatever is in a body, decoding it costs a few times what looking for
// duplicate names in it does: nothing grows with the square of its size.
func TestDecodeIsLinear(t *testing.T) {
	const size = 128 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, body := range map[string]string{
		"unknown fields": unknownFields(size),
		"escapes":        `{"name":"a","note":"` + fill(`\n`) + `"}`,
		"long escapes":   `{"name":"a","note":"` + fill(`\u00e4`) + `"}`,
		"a long name":    `{"name":"a","` + fill(`ä`) + `":1}`,
		"digits":         `{"name":"a","amount":` + fill(`1`) + `}`,
		"zeros":          `{"name":"a","amount":0.` + fill(`0`) + `1e131072}`,
		"an exponent":    `{"name":"a","amount":1e` + fill(`9`) + `}`,
		"nested":         `{"name":"a","id":[` + fill(`[[[]]],`) + `1]}`,
		"values":         `{"name":"a","id":[` + fill(`1,`) + `1]}`,
		"a long date":    `{"name":"a","due_date":"` + fill(`1`) + `"}`,
		"white space":    `{"name":"a"` + fill(` `) + `}`,
	} {
		decode := fastest(func() { _, _ = Decode([]byte(body), new(sample), true) })
		check := fastest(func() { jsontext.Value(body).IsValid() })
		if decode > 6*check+20*time.Millisecond {
			t.Errorf("%s: %s, where a check for well-formedness takes %s", name, decode, check)
		}
	}
}

func BenchmarkDecodeUnknownFields(b *testing.B) {
	body := []byte(unknownFields(1 << 20))
	for b.Loop() {
		_, _ = Decode(body, new(sample), true)
	}
}

// fastest is how long f takes at best, for the machine has other work too.
func fastest(f func()) time.Duration {
	best := time.Hour
	for range 5 {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// unknownFields is a body of about size bytes, of nothing but unknown fields.
func unknownFields(size int) string {
	var b strings.Builder
	b.WriteString(`{"name":"a"`)
	for i := 0; b.Len() < size; i++ {
		b.WriteString(`,"~`)
		for n := i; n > 0; n /= 26 {
			b.WriteByte(byte('a' + n%26))
		}
		b.WriteString(`":1`)
	}
	return b.String() + "}"
}
