package identity

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"records/config"
)

// Bounds of what the provider says.
const (
	maxAnswer = 1 << 20  // bytes of an answer
	maxHead   = 64 << 10 // bytes of the header before it
	maxSaid   = 300      // characters of it in an error
)

var (
	errTooLarge = fmt.Errorf("its answer has more than %d bytes", maxAnswer)
	errAddress  = errors.New("its address is not that of a site with https, or of one on this machine")
)

// newClient returns what asks the provider. It keeps no connection open: what is said
// there unasked, net/http would write into the log.
func newClient() *http.Client {
	return &http.Client{Timeout: timeout, Transport: asking{&http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxResponseHeaderBytes: maxHead, DisableKeepAlives: true,
	}}}
}

// asking bounds what is asked, and what is answered.
type asking struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper. Our secret and a person's token go nowhere
// but to the address that they are for.
func (a asking) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := checkAddress(r.URL); err != nil {
		return nil, err
	}
	answer, err := a.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if r.Method != http.MethodGet || r.Header.Get("Authorization") != "" {
		answer.Header.Del("Location") // without which there is no redirect
	}
	answer.Status = fmt.Sprintf("%d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	answer.Body = &bounded{answer.Body, maxAnswer}
	if r.Method == http.MethodGet && answer.StatusCode != http.StatusOK { // what it holds would be for the log alone
		answer.Body = empty{http.NoBody, answer.Body}
	}
	return answer, nil
}

// checkAddress refuses where whoever is on the way could read along, or sign in as
// anybody; the rule is that of oidc.issuer.
func checkAddress(u *url.URL) error {
	if u.Scheme != "https" && (u.Scheme != "http" || !config.IsLoopback(u.Hostname())) || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return errAddress
	}
	return nil
}

// bounded is an answer of which so much is read.
type bounded struct {
	io.ReadCloser
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// empty is an answer of which nothing is read.
type empty struct {
	io.Reader
	io.Closer
}

// said is an error that may repeat what the provider says, in the form that is fit for
// the log.
type said struct {
	text  string
	cause error
}

func (e said) Error() string { return e.text }
func (e said) Unwrap() error { return e.cause }

func (p *Provider) said(err error) error { return said{p.clean(err.Error()), err} }

// clean returns the beginning of a text of the provider's, on one line and without our
// secret, which it may send back.
func (p *Provider) clean(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, fmt.Sprintf("%.*s", maxSaid, p.hidden.Replace(text)))
}

// hidden replaces our secret in each form in which it is sent or quoted.
func hidden(s Settings) *strings.Replacer {
	if s.ClientSecret == "" {
		return strings.NewReplacer()
	}
	escaped, quoted := url.QueryEscape(s.ClientSecret), strconv.Quote(s.ClientSecret)
	header := base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(s.ClientID) + ":" + escaped))
	return strings.NewReplacer(header, "…", s.ClientSecret, "…", escaped, "…", quoted[1:len(quoted)-1], "…")
}
