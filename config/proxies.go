package config

import (
	"fmt"
	"net/netip"
	"strings"
)

// proxies takes addresses and CIDR ranges, separated by commas; nothing is none.
func proxies(text string) ([]netip.Prefix, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var prefixes []netip.Prefix
	for item := range strings.SplitSeq(text, ",") {
		prefix, err := proxy(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		prefixes = append(prefixes, prefix)
	}
	return prefixes, nil
}

// proxy takes one address or range. IPv4 in its IPv6 form becomes plain IPv4,
// which is how callers' addresses are compared.
func proxy(item string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(item)
	if addr, addrErr := netip.ParseAddr(item); addrErr == nil && addr.Zone() == "" {
		prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("want addresses or CIDR ranges, as 10.0.0.1 or 10.0.0.0/8, not %q", item)
	}
	if prefix.Addr().Is4In6() && prefix.Bits() >= 96 {
		prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
	}
	return prefix.Masked(), nil
}
