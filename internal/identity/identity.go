// Package identity asks a provider of OpenID Connect who somebody is.
package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"records/internal/account"
)

// timeout bounds each question to the provider.
const timeout = 5 * time.Second

// maxClaim is how long an issuer and a subject may be, in bytes (OpenID Connect
// Core, section 2, for the subject).
const maxClaim = 255

// Settings say which provider, and who we are to it.
type Settings struct {
	Issuer       string // its URL
	ClientID     string
	ClientSecret string
	Name         string // for people
	Redirect     string // the URL to which it sends them back
}

// Provider is a provider of OpenID Connect. It is safe for concurrent use.
type Provider struct {
	Settings
	client *http.Client
	hidden *strings.Replacer
	found  discovery
}

// New returns a provider, which it asks nothing yet.
func New(s Settings) *Provider {
	return &Provider{Settings: s, client: newClient(), hidden: hidden(s)}
}

// Flow is what one sign-in has to remember from its beginning to its end. It is good
// for one attempt.
type Flow struct {
	State    string `json:"state"`    // comes back with the answer
	Nonce    string `json:"nonce"`    // stands in the token
	Verifier string `json:"verifier"` // proves that who began asks for the token (PKCE)
}

// ErrUnavailable is returned when the provider cannot be reached.
var ErrUnavailable = errors.New("the identity provider cannot be reached")

// ErrRefused is returned for an answer that proves nothing. The rest of the error is
// for the log.
var ErrRefused = errors.New("the identity provider's answer does not hold")

// Begin returns where to send somebody, and what to remember until they come back.
func (p *Provider) Begin(ctx context.Context) (to string, f Flow, err error) {
	config, _, err := p.config(ctx)
	if err != nil {
		return "", f, err
	}
	f = Flow{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	return config.AuthCodeURL(f.State, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)), f, nil
}

// End returns who has come back with an answer, which is a URL's query.
func (p *Provider) End(ctx context.Context, f Flow, answer url.Values) (account.Identity, error) {
	var nobody account.Identity
	if f.State == "" || subtle.ConstantTimeCompare([]byte(f.State), []byte(answer.Get("state"))) != 1 {
		return nobody, fmt.Errorf("%w: it belongs to no sign-in that began here", ErrRefused)
	}
	if issuer := answer.Get("iss"); issuer != "" && issuer != p.Issuer { // RFC 9207
		return nobody, fmt.Errorf("%w: it comes from another provider", ErrRefused)
	}
	if code := answer.Get("error"); code != "" {
		return nobody, fmt.Errorf("%w: it says %.64q, %.256q", ErrRefused, code, answer.Get("error_description"))
	}
	config, found, err := p.config(ctx)
	if err != nil {
		return nobody, err
	}
	if answer.Get("iss") == "" && namesItself(found) { // RFC 9207, section 2.4
		return nobody, fmt.Errorf("%w: it does not say which provider it comes from", ErrRefused)
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client), timeout)
	defer cancel()
	tokens, err := config.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return nobody, p.noToken(err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	token, err := found.Verifier(&oidc.Config{ClientID: p.ClientID}).Verify(ctx, raw)
	if err != nil {
		return nobody, fmt.Errorf("%w: %w", ErrRefused, p.said(err))
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(f.Nonce)) != 1 {
		return nobody, fmt.Errorf("%w: its token is for another sign-in", ErrRefused)
	}
	return p.identity(ctx, found, token, oauth2.StaticTokenSource(tokens))
}

// noToken tells apart a provider that refuses from one that does not answer. What it
// says beside the reason is not kept: it may repeat what it was sent, our secret too.
func (p *Provider) noToken(err error) error {
	refused, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case !ok:
		return fmt.Errorf("%w: %w", ErrUnavailable, p.said(err))
	case refused.Response.StatusCode < http.StatusInternalServerError:
		return fmt.Errorf("%w: it gives no token: %s, %q, %q", ErrRefused, refused.Response.Status, p.clean(refused.ErrorCode), p.clean(refused.ErrorDescription))
	}
	return fmt.Errorf("%w: it gives no token: %s", ErrUnavailable, refused.Response.Status)
}
