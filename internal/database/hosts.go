package database

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lib/pq"
)

// authority finds the part of a URL that names hosts: between the user, where there
// is one, and the database.
var authority = regexp.MustCompile(`^(postgres(?:ql)?://(?:[^/?#]*@)?)([^/?#]*)`)

// errMalformed says nothing of the URL: what net/url says may quote the password.
var errMalformed = errors.New("the database URL is not well formed: expected " +
	"postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…, special characters percent-encoded, " +
	"several hosts as HOST:PORT,HOST:PORT")

// ParseURL reads a URL of PostgreSQL. Where that names several hosts, as libpq takes
// them, those stand in the parameters host and port of what it returns, which neither
// net/url nor lib/pq have room for in a URL, and target_session_attrs says that the
// one that takes writes is wanted, unless the URL says something else. PostgreSQL's
// own programs read the outcome alike. Errors never hold the password.
func ParseURL(rawURL string) (*url.URL, error) {
	at := authority.FindStringSubmatchIndex(rawURL)
	if at == nil || strings.Contains(rawURL, "#") {
		return nil, errMalformed
	}
	listed := rawURL[at[4]:at[5]]
	several := strings.Contains(listed, ",")
	if several {
		rawURL = rawURL[:at[4]] + rawURL[at[5]:]
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, errMalformed
	}
	params, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errMalformed
	}
	if several {
		if err := addHosts(params, listed); err != nil {
			return nil, err
		}
	}
	if strings.Contains(params.Get("host")+params.Get("hostaddr"), ",") && params.Get("target_session_attrs") == "" {
		params.Set("target_session_attrs", string(pq.TargetSessionAttrsReadWrite))
	}
	u.RawQuery = params.Encode()
	if u.Path == "" {
		u.Path = "/" // lib/pq wants the slashes, which net/url leaves out of postgres:?host=…
	}
	return u, nil
}

// addHosts puts a list such as "a:5432,b" into the parameters of a URL.
func addHosts(params url.Values, listed string) error {
	var hosts, ports []string
	named := false
	for one := range strings.SplitSeq(listed, ",") {
		u, err := url.Parse("//" + one)
		if err != nil || u.Hostname() == "" {
			return errMalformed
		}
		port := "5432"
		if u.Port() != "" {
			port, named = u.Port(), true
		}
		hosts, ports = append(hosts, u.Hostname()), append(ports, port)
	}
	if params.Has("host") || params.Has("hostaddr") || named && params.Has("port") {
		return errors.New("the database URL names its hosts or ports twice, before the database and as parameters")
	}
	params.Set("host", strings.Join(hosts, ","))
	if named {
		params.Set("port", strings.Join(ports, ","))
	}
	return nil
}

// eachHost returns what config says of each of its hosts, in order. This program
// writes: of several hosts it wants the one that takes writes, unless it is told that
// any will do.
func eachHost(config pq.Config) ([]pq.Config, error) {
	switch config.TargetSessionAttrs {
	case "", pq.TargetSessionAttrsAny, pq.TargetSessionAttrsReadWrite, pq.TargetSessionAttrsPrimary:
	default:
		return nil, fmt.Errorf("the database URL asks for target_session_attrs=%s, and this program writes: want read-write, primary or any", config.TargetSessionAttrs)
	}
	if len(config.Multi) == 0 {
		return []pq.Config{config}, nil
	}
	if config.LoadBalanceHosts == pq.LoadBalanceHostsRandom {
		return nil, errors.New("the database URL asks for load_balance_hosts=random: several hosts are tried in order")
	}
	if config.TargetSessionAttrs == "" { // the hosts came from the environment
		config.TargetSessionAttrs = pq.TargetSessionAttrsReadWrite
	}
	hosts := []pq.Config{config.Clone()}
	for _, further := range config.Multi {
		host := config.Clone()
		host.Host, host.Hostaddr, host.Port = further.Host, further.Hostaddr, further.Port
		hosts = append(hosts, host)
	}
	for i := range hosts {
		hosts[i].Multi = nil
		if isSocket(hosts[i]) != isSocket(hosts[0]) { // lib/pq decides upon TLS by the first
			return nil, errors.New("the database URL names hosts and Unix sockets together: want either")
		}
	}
	return hosts, nil
}

func isSocket(host pq.Config) bool {
	return host.Hostaddr == netip.Addr{} && (filepath.IsAbs(host.Host) || strings.HasPrefix(host.Host, "@"))
}

// address names a host for people.
func address(host pq.Config) string {
	name := host.Host
	if (host.Hostaddr != netip.Addr{}) {
		name = host.Hostaddr.String()
	}
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	return fmt.Sprintf("%s:%d", name, host.Port)
}
