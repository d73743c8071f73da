package dbtest

import (
	"net/url"
	"testing"
)

// withPath returns rawURL with another path, in which a server's URL names the
// database.
func withPath(t testing.TB, rawURL, path string) string {
	t.Helper()
	return rewrite(t, rawURL, func(u *url.URL) { u.Path = "/" + path })
}

// withHost returns rawURL with another HOST:PORT.
func withHost(t testing.TB, rawURL, host string) string {
	t.Helper()
	return rewrite(t, rawURL, func(u *url.URL) { u.Host = host })
}

func rewrite(t testing.TB, rawURL string, change func(*url.URL)) string {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal("not a URL")
	}
	change(u)
	return u.String()
}
