package scalar

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the most characters of a name.
const maxName = 255

// NotBlank refuses a text of nothing but Unicode white space, the empty one
// included. Other invisible characters are characters.
func NotBlank(s string) error {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }) < 0 {
		return errors.New("must not be blank")
	}
	return nil
}

// CheckName refuses what cannot be the name of a workspace or a key.
func CheckName(s string) error {
	switch {
	case !utf8.ValidString(s):
		return errors.New("must be valid UTF-8")
	case strings.ContainsRune(s, 0):
		return errors.New("must not contain the NUL character")
	case utf8.RuneCountInString(s) > maxName:
		return fmt.Errorf("must be at most %d characters long", maxName)
	}
	return NotBlank(s)
}

// CheckCurrency refuses what is not the form of an ISO 4217 code: three
// capital letters from A to Z.
func CheckCurrency(s string) error {
	if len(s) != 3 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return errors.New("must be an ISO 4217 currency code of three capital letters, such as EUR")
	}
	return nil
}
