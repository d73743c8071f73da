// Package apikey is the life of a key: minted, shown once, looked up,
// rescoped, revoked. The command line and the developer area both stand on it.
package apikey

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"strings"
)

// A token is "wrk_", 30 random characters of base62 (178 bits) and a checksum
// of six more. The fixed beginning and the checksum let secret scanners find a
// token, and let the server refuse a mistyped one without a look-up.
const (
	tokenPrefix    = "wrk_"
	randomLength   = 30
	checksumLength = 6
	tokenLength    = len(tokenPrefix) + randomLength + checksumLength
	shownLength    = len(tokenPrefix) + 8 // of a token, in a list of keys

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newToken makes a token.
func newToken() string {
	body := tokenPrefix + randomBase62(randomLength)
	return body + checksum(body)
}

// WellFormed reports whether s has the form of a token, its checksum included.
// Nothing else is worth a look-up.
func WellFormed(s string) bool {
	if len(s) != tokenLength || !strings.HasPrefix(s, tokenPrefix) {
		return false
	}
	body := s[:tokenLength-checksumLength]
	return strings.Trim(body[len(tokenPrefix):], base62) == "" && s[len(body):] == checksum(body)
}

// digest is the SHA-256 of a token. A token has far too many random bits to be
// guessed, so that one round without salt is enough.
type digest [sha256.Size]byte

func digestOf(token string) digest { return sha256.Sum256([]byte(token)) }

// stored is what the database keeps of a token.
func (d digest) stored() string { return hex.EncodeToString(d[:]) }

// randomBase62 returns n characters, each equally likely.
func randomBase62(n int) string {
	const fair = 256 - 256%len(base62) // bytes from here on would favour the first characters
	out := make([]byte, 0, n)
	buffer := make([]byte, 2*n)
	for len(out) < n {
		_, _ = rand.Read(buffer) // never fails: crypto/rand ends the program instead
		for _, b := range buffer {
			if int(b) < fair && len(out) < n {
				out = append(out, base62[int(b)%len(base62)])
			}
		}
	}
	return string(out)
}

// checksum is the CRC-32 of the body in base62.
func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	out := make([]byte, checksumLength)
	for i := range out {
		out[checksumLength-1-i] = base62[sum%uint32(len(base62))]
		sum /= uint32(len(base62))
	}
	return string(out)
}
