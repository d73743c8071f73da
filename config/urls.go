package config

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// errDatabaseURL shows nothing of the URL: even the reason why it does not
// parse can quote a part of a password.
var errDatabaseURL = errors.New("want sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME (several hosts as HOST:PORT,HOST:PORT), special characters in the password percent-encoded")

// furtherHosts finds the hosts after the first in a URL of PostgreSQL.
var furtherHosts = regexp.MustCompile(`^(postgres(?:ql)?://(?:[^/?#]*@)?[^,/?#]+)(?:,[^,/?#]+)+`)

// databaseURL takes sqlite:FILE and the URLs of PostgreSQL. What is in the
// query of one, and its further hosts, which net/url does not know, internal/database
// judges.
func databaseURL(text string) (string, error) {
	if file, ok := strings.CutPrefix(text, "sqlite:"); ok && file != "" {
		return text, nil
	}
	u, err := url.Parse(furtherHosts.ReplaceAllString(text, "$1"))
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Opaque != "" {
		return "", errDatabaseURL
	}
	if u.Host == "" && u.Path == "" && u.RawQuery == "" {
		return "", errDatabaseURL
	}
	return text, nil
}

// errStoreURL shows nothing of the URL, for the same reason.
var errStoreURL = errors.New("want memory, redis://USER:PASSWORD@HOST:PORT/DB or rediss://…, special characters in the password percent-encoded")

// redisPath matches the path of a Redis URL: none, or the number of a database.
var redisPath = regexp.MustCompile(`^(/[0-9]{0,9})?$`)

// storeURL takes memory and the URLs of Redis.
func storeURL(text string) (string, error) {
	if text == "memory" {
		return text, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || u.Hostname() == "" || !redisPath.MatchString(u.Path) {
		return "", errStoreURL
	}
	if _, err := strconv.ParseUint(u.Port(), 10, 16); err != nil && u.Port() != "" {
		return "", errStoreURL
	}
	return text, nil
}

// errCollectorURL shows nothing of the URL, for the same reason.
var errCollectorURL = errors.New("want http://HOST:PORT or https://…, the part before /v1/traces, without a query; special characters in a password percent-encoded")

// collectorURL takes the base of the URLs at which a collector listens.
func collectorURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", errCollectorURL
	}
	return strings.TrimSuffix(text, "/"), nil
}

// errOrigin and errIssuer show nothing of the URL, for the same reason.
var (
	errOrigin = errors.New("want https://HOST or http://HOST:PORT, without a path")
	errIssuer = errors.New("want the URL of a provider, as https://accounts.example.com; http only on this machine")
)

// origin takes the scheme and host of a site.
func origin(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || !isSite(u) || u.Path != "" && u.Path != "/" {
		return "", errOrigin
	}
	return strings.ToLower(strings.TrimSuffix(text, "/")), nil
}

// issuer takes the URL of a provider. It is kept to the letter, for the provider's
// tokens name it so.
func issuer(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || !isSite(u) {
		return "", errIssuer
	}
	if u.Scheme != "https" && !IsLoopback(u.Hostname()) { // whoever is on the way could sign in as anybody
		return "", errIssuer
	}
	return text, nil
}

// IsLoopback reports whether a host is this machine, by its name or an address.
func IsLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// isSite reports whether a URL is one of the web, with nothing in it that does not
// belong into a link.
func isSite(u *url.URL) bool {
	if _, err := strconv.ParseUint(u.Port(), 10, 16); err != nil && u.Port() != "" {
		return false
	}
	return (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil &&
		u.RawQuery == "" && !u.ForceQuery && u.Fragment == "" && u.Opaque == "" && !strings.HasSuffix(u.Host, ":")
}
