package restgen

import (
	"regexp"
	"testing"
)

// A pattern is told only if it means in ECMA-262, with its flag u, what it means in
// Go.
func TestPortablePatterns(t *testing.T) {
	for pattern, want := range map[string]bool{
		"^[A-Z]{3}$": true, `^[A-Z]{3}-[0-9]{4}$`: true, `^[a-z0-9-]+(?:_[^-a\]]*)?$`: true, `^(a|b)+?\.[\-a]{2,}\/$`: true,
		`^[a-z]\t[^\n]*$`: true, "^é+ €$": true, "": true, `a$|^[-x]`: true, `[+*.?]`: true,
		`^[A-Z]{2}\-[0-9]+$`: false, `^a\@x$`: false, `^{a}$`: false, `^a{,3}$`: false, `^}$`: false, `^]$`: false,
		`^[]a]{2}$`: false, `^[^]a[b]$`: false, `^[[a]$`: false, `^[[:alpha:]]$`: false, `^.$`: false, `^\x{41}$`: false,
		`^\x41$`: false, `^\101$`: false, `^\d$`: false, `^\s$`: false, `^\pL$`: false, `^\bA`: false, `\AA\z`: false,
		`\Q.\E`: false, `(?i)a`: false, `(?s:a)`: false, `(?P<n>a)`: false, `^*a`: false, `^[a\d]$`: false, `^[\a]$`: false, `[\@]`: false,
	} {
		if _, err := regexp.Compile(pattern); err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
		if got := portable.MatchString(pattern); got != want {
			t.Errorf("%s is told: %t", pattern, got)
		}
	}
}
