package apikey

import (
	"math"
	"strings"
	"testing"
)

func TestTokenForm(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 10_000 {
		token := newToken()
		if len(token) != 40 || token[:4] != "wrk_" || strings.Trim(token[4:], base62) != "" || !WellFormed(token) {
			t.Fatalf("a token of the wrong form: %s", token)
		}
		if seen[token] {
			t.Fatalf("%s came twice", token)
		}
		seen[token] = true
	}
}

// The checksum is part of the format: secret scanners compute it too.
func TestChecksumIsCRC32(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"": "000000", "wrk_000000000000000000000000000000": "4ESSYH", "wrk_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz": "2EnhSU",
	} {
		if got := checksum(body); got != want {
			t.Errorf("checksum(%q) = %s; want %s", body, got, want)
		}
	}
}

func TestTokenIsRandom(t *testing.T) {
	t.Parallel()
	if len(base62) != 62 || float64(randomLength)*math.Log2(62) < 160 {
		t.Errorf("%d characters of %d have fewer than 160 bits", randomLength, len(base62))
	}
	const tokens = 20_000
	var at [randomLength][128]int
	for range tokens {
		for i, c := range []byte(newToken()[len(tokenPrefix):][:randomLength]) {
			at[i][c]++
		}
	}
	// Each character at each place comes up as often as any: within seven
	// standard deviations of a fair draw.
	fair := float64(tokens) / 62
	for i := range at {
		for _, c := range []byte(base62) {
			if math.Abs(float64(at[i][c])-fair) > 7*math.Sqrt(fair) {
				t.Errorf("%c at %d came up %d times; fair is %.0f", c, i, at[i][c], fair)
			}
		}
	}
}

func TestChecksumCatchesEveryTypingError(t *testing.T) {
	t.Parallel()
	for range 3 {
		token := newToken()
		for i := range token {
			for c := range 256 {
				if byte(c) != token[i] {
					refuse(t, token[:i]+string([]byte{byte(c)})+token[i+1:])
				}
			}
			for j := i + 1; j < len(token); j++ {
				if token[i] != token[j] {
					refuse(t, token[:i]+token[j:j+1]+token[i+1:j]+token[i:i+1]+token[j+1:])
				}
			}
			refuse(t, token[:i]+token[i+1:])
			refuse(t, token[:i]+token[i:i+1]+token[i:])
		}
		for _, s := range []string{token + "\n", " " + token, strings.ToLower(token), strings.ToUpper(token), token + token} {
			refuse(t, s)
		}
	}
}

func refuse(t *testing.T, s string) {
	t.Helper()
	if WellFormed(s) {
		t.Errorf("%q is well-formed", s)
	}
}

func TestWellFormedKnowsTheAlphabet(t *testing.T) {
	t.Parallel()
	for _, random := range []string{strings.Repeat("-", 30), strings.Repeat("0", 29) + "\x00", strings.Repeat("é", 15), "\n" + strings.Repeat("0", 29)} {
		refuse(t, tokenPrefix+random+checksum(tokenPrefix+random))
	}
}

func FuzzWellFormed(f *testing.F) {
	f.Add(newToken())
	f.Add("")
	f.Add("wrk_")
	f.Add(tokenPrefix + strings.Repeat("0", 36))
	f.Fuzz(func(t *testing.T, s string) {
		if WellFormed(s) && (len(s) != 40 || s[:4] != "wrk_" || strings.Trim(s[4:], base62) != "") {
			t.Errorf("%q is well-formed", s)
		}
		if len(s) < randomLength {
			return
		}
		body := tokenPrefix + s[:randomLength]
		if got, want := WellFormed(body+checksum(body)), strings.Trim(s[:randomLength], base62) == ""; got != want {
			t.Errorf("with its checksum, %q is well-formed: %t", body, got)
		}
	})
}
