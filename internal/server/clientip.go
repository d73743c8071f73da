package server

import (
	"net/http"
	"net/netip"
	"strings"
)

// clientIP is the address that a request comes from: IPv4 never in its IPv6
// form, without a zone.
//
// That is the peer of the connection, unless the peer is a trusted proxy: then
// X-Forwarded-For is read from the right, past trusted addresses, to the first
// one that is not. Where an entry does not parse, the address before it
// counts, and where all are trusted, the leftmost. So nobody can choose the
// address that they are counted by: what a caller writes lies to the left of
// what our own proxies add. X-Real-IP and Forwarded are never read.
//
// A RemoteAddr that is no address (a Unix socket) gives the zero Addr.
func clientIP(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := plainAddr(peer.Addr())
	if !contains(trusted, client) {
		return client
	}

	// Several lines of the header are one list.
	list := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for contains(trusted, client) && list != "" {
		comma := strings.LastIndexByte(list, ',')
		entry, err := netip.ParseAddr(strings.Trim(list[comma+1:], " \t"))
		if err != nil {
			return client
		}
		client = plainAddr(entry)
		list = list[:max(comma, 0)]
	}
	return client
}

// plainAddr takes away what would give one caller several addresses.
func plainAddr(addr netip.Addr) netip.Addr {
	return addr.Unmap().WithZone("")
}

// contains tells whether one of the prefixes holds addr. None holds the zero Addr.
func contains(prefixes []netip.Prefix, addr netip.Addr) bool {
	for _, prefix := range prefixes {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// address is a caller's for people, "" for one without.
func address(addr netip.Addr) string {
	if !addr.IsValid() {
		return ""
	}
	return addr.String()
}

// ceilingKey is what the address ceiling counts a caller by: IPv4 the address,
// IPv6 its /64, which is the least that one customer of a provider gets. All
// callers without an address share one counter.
func ceilingKey(addr netip.Addr) string {
	addr = plainAddr(addr)
	if !addr.IsValid() {
		return "unknown"
	}
	if addr.Is4() {
		return addr.String()
	}
	return netip.PrefixFrom(addr, 64).Masked().String()
}
