package identity

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// pause is how long a provider that did not answer is left alone.
const pause = 2 * time.Second

// discovery is what the provider tells of itself. It is asked when that is first
// needed, so that a provider that is down keeps nothing from starting.
type discovery struct {
	mu       sync.Mutex
	provider *oidc.Provider
	failed   error
	retry    time.Time // when failed is to be forgotten
}

// config is how to talk to the provider.
func (p *Provider) config(ctx context.Context) (*oauth2.Config, *oidc.Provider, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	endpoint := found.Endpoint()
	endpoint.AuthStyle = authStyle(found)
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, RedirectURL: p.Redirect,
		Endpoint: endpoint, Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}, found, nil
}

// discover asks once, also for many who wait for it.
func (p *Provider) discover(ctx context.Context) (*oidc.Provider, error) {
	d := &p.found
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.provider != nil {
		return d.provider, nil
	}
	if time.Now().Before(d.retry) {
		return nil, d.failed
	}
	// The answer is for others too: one who goes away does not end the question.
	ctx, cancel := context.WithTimeout(oidc.ClientContext(context.WithoutCancel(ctx), p.client), timeout)
	defer cancel()
	found, err := oidc.NewProvider(ctx, p.Issuer)
	if err == nil {
		err = checkSignIn(found)
	}
	if err != nil {
		d.failed, d.retry = p.said(err), time.Now().Add(pause)
		return nil, d.failed
	}
	d.provider = found
	return found, nil
}

// checkSignIn refuses a provider that would have people sent to where nobody signs in.
func checkSignIn(found *oidc.Provider) error {
	u, err := url.Parse(found.Endpoint().AuthURL)
	if err == nil {
		err = checkAddress(u)
	}
	if err != nil {
		return fmt.Errorf("its authorization_endpoint: %w", err)
	}
	return nil
}

// authStyle is how the provider wants to be shown the secret: left to itself, oauth2
// tries one way and then the other, with a code that is good once.
func authStyle(found *oidc.Provider) oauth2.AuthStyle {
	var told struct {
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := found.Claims(&told); err == nil && slices.Contains(told.Methods, "client_secret_post") && !slices.Contains(told.Methods, "client_secret_basic") {
		return oauth2.AuthStyleInParams
	}
	return oauth2.AuthStyleInHeader
}

// namesItself reports whether the provider says that each of its answers has its name.
func namesItself(found *oidc.Provider) bool {
	var told struct {
		Issuer truth `json:"authorization_response_iss_parameter_supported"`
	}
	err := found.Claims(&told)
	return err == nil && bool(told.Issuer)
}
