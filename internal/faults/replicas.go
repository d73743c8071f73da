package main

// The suites of several replicas behind a proxy.
var (
	behindProxy = test{"internal/replicas", "TestCeilingsBehindAProxy"}
	keysBehind  = test{"internal/replicas", "TestKeyChangesHoldOnEveryReplica"}
	rolling     = test{"internal/replicas", "TestRollingRestart"}
	upgrade     = test{"internal/replicas", "TestUpgradeUnderLoad"}
	smuggling   = test{"internal/replicas", "TestRequestsAreNotSmuggled"}
)

// replicas are faults in what several replicas do together, and behind a proxy.
var replicas = []fault{
	{
		name:   "ceilings are kept in process though Redis is set",
		opens:  "A client makes as many requests as there are replicas, times the ceiling.",
		edits:  []edit{{"internal/server/ceiling.go", `	if store != "memory" {`, `	if store == "" {`}},
		by:     []test{behindProxy, {"internal/server", "TestCeilingsAcrossReplicas"}},
		unseen: "it has no ceilings",
	},
	{
		name:   "every peer may say where a request comes from",
		opens:  "Who writes X-Forwarded-For has no ceiling.",
		edits:  []edit{{"internal/server/clientip.go", "\tif !contains(trusted, client) {\n", "\tif len(trusted) == 0 {\n"}, {"internal/server/clientip.go", "for contains(trusted, client) && list", "for list"}},
		by:     []test{behindProxy, {"internal/server", "TestForwardedAddress"}},
		unseen: "it has no ceilings",
	},
	{
		name:   "an address of IPv6 is a caller of its own",
		opens:  "Whoever has a /64, as every customer of a provider, has no ceiling.",
		edits:  []edit{{"internal/server/clientip.go", "netip.PrefixFrom(addr, 64)", "netip.PrefixFrom(addr, 128)"}},
		by:     []test{behindProxy, {"internal/server", "TestOneAddressIsOneSlash64"}},
		unseen: "it has no ceilings",
	},
	{
		name:  "any generation will do",
		opens: "What is known of a key holds for as long as the database can be read.",
		edits: []edit{{"internal/apikey/cache.go", "e.generation == last.generation && arrived", "arrived"}},
		by:    []test{keysBehind, inSecond, prove},
	},
	{
		name:   "a key that was mistyped is looked up",
		opens:  "Guesses reach the database.",
		edits:  []edit{{"internal/apikey/authenticate.go", "if !WellFormed(token) {", `if token == "" {`}},
		by:     []test{{"internal/apikey", "TestGuessedKeysCostNothing"}},
		unseen: "the answers are the same",
	},
	{
		name:   "a replica that stops is ready",
		opens:  "A proxy sends requests to one that is about to end.",
		edits:  []edit{{"internal/server/health.go", "if s.draining.Load() {", "if s.draining.Load() && s.DB == nil {"}},
		by:     []test{rolling, {"internal/server", "TestReadinessFailsFirst"}},
		unseen: "no server stops in it",
	},
	{
		name:   "a migration waits long for its locks",
		opens:  "Every request queues up behind it for as long as a dump holds the table.",
		edits:  []edit{{"config/settings.go", `{"database.lock_timeout", "500ms"`, `{"database.lock_timeout", "3s"`}},
		by:     []test{upgrade},
		unseen: "nothing is migrated in it",
	},
	{
		name:   "a body in chunks leaves its connection open",
		opens:  "Behind a proxy that goes by the length beside, its rest is the next client's request.",
		edits:  []edit{{"internal/server/serve.go", "s.draining.Load() || len(r.TransferEncoding) > 0", "s.draining.Load()"}},
		by:     []test{smuggling},
		unseen: "it has no proxy",
	},
	{
		name:   "net/http does not see its own body",
		opens:  "A connection goes on behind a request that was broken.",
		edits:  []edit{{"internal/server/serve.go", "\t\twrapped.Body = body\n", "\t\tr.Body, wrapped.Body = body, body\n"}, {"internal/server/serve.go", "s.draining.Load() || len(r.TransferEncoding) > 0", "s.draining.Load()"}},
		by:     []test{smuggling},
		unseen: "it has no proxy",
	},
	{
		name:   "the proxy repeats writes",
		opens:  "A write whose replica was killed is done twice.",
		edits:  []edit{{"docs/proxy/nginx.conf", "proxy_next_upstream error timeout;", "proxy_next_upstream error timeout non_idempotent;"}},
		by:     []test{{"internal/replicas", "TestTheProxyRepeatsNoWrite"}},
		unseen: "it has no proxy",
	},
}
