package scalar_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"records/internal/scalar"
)

func TestCheckEmail(t *testing.T) {
	for _, s := range []string{
		"name@example.com",
		"first.last+tag@sub.example.co.uk",
		"a.b.c@d.e",
		"~te~st~@example.com",
		"!#$%&'*+-/=?^_`{|}~@example.com",
		"-@example.com",
		"1@2.com",
		"a@1.2.3",
		"a@1.2.3.4a",
		"a@1.2.3.4.com",
		"a@localhost",
		"a@c--n.com",
		"a@xn--bcher-kva.example",
		"A@EXAMPLE.COM",
		"a@" + strings.Repeat("b", 63) + ".com",
		"a@" + strings.Repeat("é", 63) + ".com",
		strings.Repeat("a", 1000) + "@example.com", // the length is the caller's
		"jörg@bücher.example",
		"실례@실례.테스트",
		"用户@例子.广告",
		"अजय@डाटा.भारत",
		"e\u0301@e\u0301.example",
		"a@१२.भारत",
		"a@نامه\u200cای.example", // Persian: letters that are not to join
		"a@ශ්\u200dරී.example",   // Sinhala: letters that are
		"a@col·legi.example",
		"a@日本・語.example",
		"a@צה״ל.example",
		"😀@example.com",
	} {
		if err := scalar.CheckEmail(s); err != nil {
			t.Errorf("CheckEmail(%q) = %v", s, err)
		}
	}
	for name, inputs := range map[string][]string{
		"form":     {"", "@", "2962", "name", "@example.com", "name@", "a@b@c.org", "a@@b.org", "a＠b.org", "a@b.org, c@d.org"},
		"more":     {"Name <name@example.com>", "<name@example.com>", "mailto:name@example.com", "a(b)@example.com", "a@b(c).org", "a@example.com(c)"},
		"quoted":   {`"a"@b.org`, `"a b"@b.org`, `"a@b"@b.org`, `""@b.org`, `"a.b@b.org`, `a"@b.org`, `a\b@b.org`, `a\@b@c.org`},
		"atext":    {"a,b@c.org", "a;b@c.org", "a:b@c.org", "[a]@c.org", "a>b@c.org"},
		"dots":     {".a@b.org", "a.@b.org", "a..b@c.org", ".@b.org", "a@.b.org", "a@b.org.", "a@b..org", "a@."},
		"hyphens":  {"a@-b.org", "a@b-.org", "a@-", "a@b.-org", "a@b.org-"},
		"label":    {"a@b_c.org", "a@b=c.org", "a@b.org/", "a@b.org:25", "a@b!c", "a@😀.org", "a@b。org", "a@" + strings.Repeat("b", 64) + ".com", "a@" + strings.Repeat("é", 64)},
		"address":  {"a@[127.0.0.1]", "a@[IPv6:::1]", "a@[x]", "a@127.0.0.1", "a@255.255.255.255", "a@127.0.0.01", "a@999.999.999.999", "a@::1"},
		"joiners":  {"a@\u200cای.org", "a@نامه\u200c.org", "a@b\u200cc.org", "a@b\u200dc.org", "a@\u200d", "a@b.org\u200d", "a@b\u200bc.org", "a@·b.org", "a@b·"},
		"space":    {" a@b.org", "a@b.org ", "a b@c.org", "a@b c.org", "a@ b.org", "a @b.org", "a\u00a0b@c.org", "a\u3000b@c.org", "a\u2028b@c.org", "a@b\u00a0c.org"},
		"control":  {"a\tb@c.org", "a@b.org\n", "a@b.org\r", "a@b.org\r\nBcc: c@d.org", "a\x00@b.org", "a\x7f@b.org", "a@b\x00.org", "a\u0085b@c.org", "a\u009fb@c.org", "a@b\u0085.org"},
		"encoding": {"\xff@b.org", "a@\xff.org", "\xed\xa0\x80@b.org", "a@b.\xc3"},
	} {
		for _, s := range inputs {
			err := scalar.CheckEmail(s)
			if err == nil || err.Error() != "must be an email address like name@example.com" {
				t.Errorf("%s: CheckEmail(%q) = %v; want an error", name, s, err)
			}
		}
	}
}

// FuzzEmail looks for a panic, and for an address that no other program would
// take for one.
func FuzzEmail(f *testing.F) {
	for _, s := range []string{"name@example.com", "실례@실례.테스트", "a@127.0.0.1", `"a b"@c.org`, ".a@b.org", "a@b@c", "\xff@b.org"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if scalar.CheckEmail(s) != nil {
			return
		}
		if !utf8.ValidString(s) || strings.Count(s, "@") != 1 || strings.ContainsAny(s, " \t\r\n\x00\"<>(),;:\\[]") || strings.Contains(s, "..") {
			t.Errorf("CheckEmail(%q) = nil", s)
		}
	})
}
