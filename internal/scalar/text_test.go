package scalar_test

import (
	"strings"
	"testing"

	"records/internal/scalar"
)

func TestNotBlank(t *testing.T) {
	for _, s := range []string{"a", " a ", "\u200b", "\ufeff", "\x00", "\u00ad", "\u2060", "0", "𝄞", "\xff"} {
		if err := scalar.NotBlank(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	// All of Unicode's White_Space.
	for _, s := range []string{"", " ", "\t\n\v\f\r", "\u0085", "\u00a0", "\u1680", "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a", "\u2028\u2029", "\u202f", "\u205f", "\u3000"} {
		if err := scalar.NotBlank(s); err == nil || err.Error() != "must not be blank" {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestCheckName(t *testing.T) {
	for _, s := range []string{"a", " a\n", strings.Repeat("𝄞", 255)} {
		if err := scalar.CheckName(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for s, want := range map[string]string{
		"": "must not be blank", "\u3000 ": "must not be blank",
		strings.Repeat("a", 256): "must be at most 255 characters long",
		strings.Repeat(" ", 256): "must be at most 255 characters long",
		"a\x00":                  "must not contain the NUL character",
		"a\xff":                  "must be valid UTF-8",
	} {
		if err := scalar.CheckName(s); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", s, err, want)
		}
	}
}

func TestCheckCurrency(t *testing.T) {
	for _, s := range []string{"EUR", "USD", "XXX", "AZZ"} {
		if err := scalar.CheckCurrency(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{"", "EU", "EURO", "eur", "EUr", "E R", "€", "ÄÖÜ", "E\u0300R", "ＥＵＲ", " EUR", "EU1", "12E", "A-Z"} {
		if err := scalar.CheckCurrency(s); err == nil || err.Error() != "must be an ISO 4217 currency code of three capital letters, such as EUR" {
			t.Errorf("%q: %v", s, err)
		}
	}
}
