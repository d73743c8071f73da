package identity

import (
	"context"
	"fmt"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"records/internal/account"
)

// claims are what is asked about a person.
type claims struct {
	Party    string `json:"azp"` // to whom the token was given
	Email    string `json:"email"`
	Verified truth  `json:"email_verified"`
	Name     string `json:"name"`
	Nick     string `json:"preferred_username"`
}

// truth is a bool, which some providers write as a string.
type truth bool

// UnmarshalJSON takes anything but a plain true for false.
func (t *truth) UnmarshalJSON(b []byte) error {
	*t = truth(strings.Trim(string(b), `"`) == "true")
	return nil
}

// identity reads who the token is about. Where the address is not in it, the
// provider tells it to who has the token.
func (p *Provider) identity(ctx context.Context, found *oidc.Provider, token *oidc.IDToken, source oauth2.TokenSource) (account.Identity, error) {
	var nobody account.Identity
	if token.Subject == "" || len(token.Subject) > maxClaim || len(token.Issuer) > maxClaim {
		return nobody, fmt.Errorf("%w: its subject has %d characters", ErrRefused, len(token.Subject))
	}
	var c claims
	if err := token.Claims(&c); err != nil {
		return nobody, fmt.Errorf("%w: %w", ErrRefused, p.said(err))
	}
	if c.Party != "" && c.Party != p.ClientID { // OpenID Connect Core, section 3.1.3.7
		return nobody, fmt.Errorf("%w: its token was given to another client", ErrRefused)
	}
	if c.Email == "" && found.UserInfoEndpoint() != "" {
		info, err := found.UserInfo(ctx, source)
		if err != nil {
			return nobody, fmt.Errorf("%w: %w", ErrUnavailable, p.said(err))
		}
		if info.Subject != token.Subject { // OpenID Connect Core, section 5.3.2
			return nobody, fmt.Errorf("%w: it tells of somebody else", ErrRefused)
		}
		c.Verified = false // which is said of the address beside it
		if err := info.Claims(&c); err != nil {
			return nobody, fmt.Errorf("%w: %w", ErrRefused, p.said(err))
		}
	}
	if strings.ContainsRune(token.Subject+c.Email, 0) { // which PostgreSQL keeps in no text
		return nobody, fmt.Errorf("%w: its subject or address has a NUL", ErrRefused)
	}
	if c.Name == "" {
		c.Name = c.Nick
	}
	return account.Identity{Issuer: token.Issuer, Subject: token.Subject, Email: c.Email, EmailVerified: bool(c.Verified) && c.Email != "", Name: c.Name}, nil
}
