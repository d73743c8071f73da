package doctor

import (
	"context"
	"fmt"
	"net"
	"net/url"

	"records/config"
	"records/internal/server"
)

// waitsFit looks whether one wait leaves room for another.
func waitsFit(_ context.Context, c config.Config) (faults []Fault) {
	if c.Server.MaxWait >= c.Server.RequestTimeout {
		faults = append(faults, Fault{
			Check:  "settings",
			What:   fmt.Sprintf("server.max_wait (%s) is not below server.request_timeout (%s).", c.Server.MaxWait, c.Server.RequestTimeout),
			Why:    "The wait for a turn is a part of the request's time: who has waited for so long has none left for the work, and gets 503 although it was begun.",
			Remedy: "Set server.max_wait to a quarter of server.request_timeout, or less.",
		})
	}
	if c.Server.RequestTimeout > server.LongestRequest {
		faults = append(faults, Fault{
			Check:  "settings",
			What:   fmt.Sprintf("server.request_timeout is %s, and a connection is closed %s after the header.", c.Server.RequestTimeout, server.LongestAnswer),
			Why:    "A request whose body came slowly can be cut off without an answer.",
			Remedy: fmt.Sprintf("Set server.request_timeout to %s or less.", server.LongestRequest),
		})
	}
	return faults
}

// proxiesAreSome looks whether everybody is believed.
func proxiesAreSome(_ context.Context, c config.Config) (faults []Fault) {
	for _, p := range c.Server.TrustedProxies {
		if p.Bits() == 0 {
			faults = append(faults, Fault{
				Check:  "settings",
				What:   fmt.Sprintf("server.trusted_proxies holds %s, which is every address.", p),
				Why:    "Every client can say by X-Forwarded-For which address its requests count on, and so pass the ceiling of addresses.",
				Remedy: "Name the addresses of your own proxies alone.",
			})
		}
	}
	return faults
}

// peopleCanSignIn looks whether browsers would keep the cookie of a session, and
// whether the provider is asked by a way that nobody listens on.
func peopleCanSignIn(_ context.Context, c config.Config) (faults []Fault) {
	if c.Developer.URL != "" && isPlain(c.Developer.URL) {
		faults = append(faults, Fault{
			Check:  "settings",
			What:   fmt.Sprintf("developer.url is %s, without TLS.", c.Developer.URL),
			Why:    "Browsers keep the cookie of a session from https and from the machine itself alone: nobody can sign in.",
			Remedy: "Put a proxy with TLS in front, and set developer.url to its https address.",
		})
	}
	if c.OIDC.Issuer != "" && isPlain(c.OIDC.Issuer) {
		faults = append(faults, Fault{
			Check:  "settings",
			What:   fmt.Sprintf("oidc.issuer is %s, without TLS.", c.OIDC.Issuer),
			Why:    "Who listens on the way learns the client's secret, and can say who somebody is.",
			Remedy: "Use the provider's https address.",
		})
	}
	if host, _, _ := net.SplitHostPort(c.Addr); c.OIDC.Issuer != "" && c.Developer.URL == "" && !config.IsLoopback(host) {
		faults = append(faults, Fault{
			Check:  "settings",
			What:   "oidc.issuer is set, and developer.url is not.",
			Why:    "The provider sends people back to this machine's own address, which is not theirs.",
			Remedy: "Set developer.url to the address at which people reach the developer area.",
		})
	}
	return faults
}

// isPlain reports whether a URL leads to another machine without TLS.
func isPlain(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "http" && !config.IsLoopback(u.Hostname())
}
