package doctor

import (
	"context"
	"fmt"
	"net"
	"net/netip"

	"records/config"
)

// metricsAreInside looks whether the metrics, which need no key, are served at an
// address that the whole internet reaches.
func metricsAreInside(_ context.Context, c config.Config) []Fault {
	if c.Metrics.Addr == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(c.Metrics.Addr)
	if err != nil {
		return nil // the setting was checked
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		addresses = nil // then only what the setting says is judged
	}
	public, ok := publicAddress(host, addresses)
	if !ok {
		return nil
	}
	return []Fault{{
		Check:  "settings",
		What:   fmt.Sprintf("metrics.addr is %s, and %s is an address of the internet.", c.Metrics.Addr, public),
		Why:    "Metrics need no key: everybody can see what is asked, how often, and when the service is busy.",
		Remedy: "Listen on 127.0.0.1 or an address of your own network, or see to it that a firewall keeps the port closed.",
	}}
}

// publicAddress returns one that a host stands for: itself, or for every address those
// of this machine.
func publicAddress(host string, own []net.Addr) (netip.Addr, bool) {
	ip, err := netip.ParseAddr(host)
	if err == nil && !ip.IsUnspecified() {
		return ip, isPublic(ip)
	}
	if err != nil && host != "" {
		return netip.Addr{}, false // a name
	}
	for _, a := range own {
		if p, err := netip.ParsePrefix(a.String()); err == nil && isPublic(p.Addr()) {
			return p.Addr(), true
		}
	}
	return netip.Addr{}, false
}

// sharedRange is that of carriers (RFC 6598), which the internet does not reach.
var sharedRange = netip.MustParsePrefix("100.64.0.0/10")

func isPublic(ip netip.Addr) bool {
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !sharedRange.Contains(ip)
}
