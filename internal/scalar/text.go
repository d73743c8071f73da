package scalar

import (
	"errors"
	"strings"
	"unicode"
)

// NotBlank refuses a text of nothing but Unicode white space, the empty one
// included. Other invisible characters are characters.
func NotBlank(s string) error {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }) < 0 {
		return errors.New("must not be blank")
	}
	return nil
}

// CheckCurrency refuses what is not the form of an ISO 4217 code: three
// capital letters from A to Z.
func CheckCurrency(s string) error {
	if len(s) != 3 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return errors.New("must be an ISO 4217 currency code of three capital letters, such as EUR")
	}
	return nil
}
