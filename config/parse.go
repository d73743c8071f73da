package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A parser turns the text of a setting into its value. Its error says what is
// wanted and shows the text, quoted, except where that may hold a password.

// hostName matches a name that a resolver could know. One whose last label is
// a number would be a mistyped IPv4 address.
var hostName = regexp.MustCompile(`^([A-Za-z0-9_-]+\.)*[A-Za-z0-9_-]*[A-Za-z_-][A-Za-z0-9_-]*\.?$`)

// address takes host:port; the host may be empty, a name or an IP address.
func address(text string) (string, error) {
	wrong := fmt.Errorf("want host:port, as 127.0.0.1:8080 or [::1]:8080, not %q", text)
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return "", wrong
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", wrong
	}
	if _, err := netip.ParseAddr(host); err != nil && host != "" && !hostName.MatchString(host) {
		return "", wrong
	}
	return text, nil
}

// whole takes decimal digits, from low to high.
func whole(low, high int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || n < uint64(low) || n > uint64(high) {
			return 0, fmt.Errorf("want a whole number from %d to %d, not %q", low, high, text)
		}
		return int(n), nil
	}
}

// part takes a number from 0 to 1.
func part(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0 && f <= 1) { // NaN is neither
		return 0, fmt.Errorf("want a number from 0 to 1, as 0.05, not %q", text)
	}
	return f, nil
}

// optional takes what parse takes, and nothing.
func optional(parse func(string) (string, error)) func(string) (string, error) {
	return func(text string) (string, error) {
		if text == "" {
			return "", nil
		}
		return parse(text)
	}
}

// duration takes a number with a unit, from low to high.
func duration(low, high time.Duration) func(string) (time.Duration, error) {
	return func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < low || d > high {
			return 0, fmt.Errorf("want a duration from %s to %s, as 500ms or 2s, not %q", low, high, text)
		}
		return d, nil
	}
}

// boolean takes true and false, and what else strconv.ParseBool reads as such.
func boolean(text string) (bool, error) {
	b, err := strconv.ParseBool(text)
	if err != nil {
		return false, fmt.Errorf("want true or false, not %q", text)
	}
	return b, nil
}

// oneOf takes one of a few words, to the letter.
func oneOf(words ...string) func(string) (string, error) {
	return func(text string) (string, error) {
		if !slices.Contains(words, text) {
			return "", fmt.Errorf("want %s, not %q", strings.Join(words, " or "), text)
		}
		return text, nil
	}
}

// errWords shows nothing of a text that may be a secret.
var errWords = errors.New("want a text on one line, which is not blank")

// words takes any text on one line.
func words(text string) (string, error) {
	if strings.TrimSpace(text) == "" || strings.ContainsFunc(text, unicode.IsControl) {
		return "", errWords
	}
	return text, nil
}

// level takes the four levels of log/slog by name, in any case.
func level(text string) (slog.Level, error) {
	for _, l := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		if strings.EqualFold(text, l.String()) {
			return l, nil
		}
	}
	return 0, fmt.Errorf("want debug, info, warn or error, not %q", text)
}
