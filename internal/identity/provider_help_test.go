package identity_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"records/internal/account"
	"records/internal/identity"
)

// secret is ours. It is sent in other forms than it has.
const secret = `s3cret&"7`

// provider is a provider of OpenID Connect that does as it should, but for what a test
// has it say at some path instead.
type provider struct {
	t       *testing.T
	url     string
	signer  *rsa.PrivateKey
	instead map[string]http.HandlerFunc
	told    map[string]any // of itself, instead of the truth
	claims  map[string]any // in the token, instead of the truth
	nonce   string
	answer  url.Values // beside the state and the code
	ours    *identity.Provider
}

// The paths of a provider.
const (
	discovery = "/.well-known/openid-configuration"
	keys      = "/keys"
	token     = "/token"
	userinfo  = "/userinfo"
)

func newProvider(t *testing.T) *provider {
	t.Helper()
	signer, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{t: t, signer: signer, instead: map[string]http.HandlerFunc{}, told: map[string]any{}, claims: map[string]any{}, answer: url.Values{}}
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	p.url = s.URL
	p.ours = identity.New(identity.Settings{Issuer: p.url, ClientID: "records", ClientSecret: secret, Redirect: "http://127.0.0.1:1/"})
	return p
}

// ServeHTTP implements http.Handler.
func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if instead := p.instead[r.URL.Path]; instead != nil {
		instead(w, r)
		return
	}
	b64 := base64.RawURLEncoding.EncodeToString
	answer := map[string]any{}
	switch r.URL.Path {
	case discovery:
		answer = with(map[string]any{"issuer": p.url, "authorization_endpoint": p.url + "/authorize", "token_endpoint": p.url + token, "jwks_uri": p.url + keys, "userinfo_endpoint": p.url + userinfo}, p.told)
	case keys:
		answer["keys"] = []any{map[string]any{"kty": "RSA", "alg": "RS256", "n": b64(p.signer.N.Bytes()), "e": b64(big.NewInt(int64(p.signer.E)).Bytes())}}
	case token:
		answer = map[string]any{"access_token": "acc3ss", "token_type": "Bearer", "id_token": p.token()}
	case userinfo:
		answer = map[string]any{"sub": "ann", "email": "ann@example.com", "email_verified": true}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// token is signed, and tells who somebody is, but not their address.
func (p *provider) token() string {
	claims, err := json.Marshal(with(map[string]any{"iss": p.url, "aud": "records", "sub": "ann", "nonce": p.nonce, "exp": time.Now().Add(time.Hour).Unix()}, p.claims))
	if err != nil {
		p.t.Error(err)
	}
	b64 := base64.RawURLEncoding.EncodeToString
	signed := b64([]byte(`{"alg":"RS256"}`)) + "." + b64(claims)
	digest := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(nil, p.signer, crypto.SHA256, digest[:])
	if err != nil {
		p.t.Error(err)
	}
	return signed + "." + b64(signature)
}

func with(what, instead map[string]any) map[string]any {
	for k, v := range instead {
		what[k] = v
	}
	return what
}

// signIn goes the whole way, and wants an error to be fit for the log.
func (p *provider) signIn() (account.Identity, error) {
	p.t.Helper()
	_, flow, err := p.ours.Begin(p.t.Context())
	var who account.Identity
	if err == nil {
		p.nonce = flow.Nonce
		p.answer.Set("state", flow.State)
		p.answer.Set("code", "c0de")
		who, err = p.ours.End(p.t.Context(), flow, p.answer)
	}
	if err != nil {
		text := err.Error()
		if len(text) > 1000 || strings.ContainsAny(text, "\n\r\x1b") {
			p.t.Errorf("the error has %d bytes: %.200q", len(text), text)
		}
		for _, kept := range []string{secret, "s3cret", base64.StdEncoding.EncodeToString([]byte("records:" + url.QueryEscape(secret))), "acc3ss", "c0de"} {
			if strings.Contains(text, kept) {
				p.t.Errorf("the error tells %q: %.200q", kept, text)
			}
		}
	}
	return who, err
}
