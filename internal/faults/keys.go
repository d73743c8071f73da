package main

// keyGenerations is the name of the migration that brings its triggers.
const keyGenerations = "20261121133122_key_generations.sql"

// keys are faults in who is let in.
var keys = []fault{
	{
		name:  "revocation is ignored",
		opens: "A revoked key opens its workspace for ever.",
		edits: []edit{{"internal/apikey/cache.go", "&& !e.revoked &&", "&&"}},
		by:    []test{prove, refused, inSecond},
	},
	{
		name:  "expiry is ignored",
		opens: "A key opens its workspace after its time.",
		edits: []edit{{"internal/apikey/cache.go", "(e.expires == nil || e.expires.After(now))", "(e.expires == nil || now.After(time.Time{}))"}},
		by:    []test{prove, refused, {"internal/apikey", "TestExpiry"}},
	},
	{
		name:   "what is known of a key does not age",
		opens:  "A key that a restored database does not have is good for as long as the server runs.",
		edits:  []edit{{"internal/apikey/cache.go", "age < longest && ", ""}},
		by:     []test{{"internal/apikey", "TestAnswersAge"}},
		unseen: "it restores nothing below a server, and does not run for so long",
	},
	{
		name:   "sessions in which no trigger fires",
		opens:  "Revocations are not seen, and references may name records of other workspaces.",
		edits:  []edit{{"internal/database/connector.go", "\terr = made.enforced(ctx)\n", "\terr = error(nil)\n"}},
		by:     []test{{"internal/database", "TestTriggersAreFired"}},
		unseen: "its sessions are as PostgreSQL makes them",
	},
	{
		name:  "what is known of a key holds for ever",
		opens: "Neither a revocation nor a change of scope is seen.",
		edits: []edit{{"internal/apikey/cache.go", "\treturn age < life ||\n", "\treturn true ||\n"}},
		by:    []test{prove, inSecond},
	},
	{
		name:  "a change of scope renews no generation",
		opens: "A key that may only read goes on writing.",
		edits: []edit{
			{"migrate/postgres/" + keyGenerations, "UPDATE OF id, workspace_id, hash, scope, expires_at, revoked_at", "UPDATE OF id, workspace_id, hash, expires_at, revoked_at"},
			{"migrate/sqlite/" + keyGenerations, "UPDATE OF id, workspace_id, hash, scope, expires_at, revoked_at", "UPDATE OF id, workspace_id, hash, expires_at, revoked_at"},
		},
		after:  sums,
		by:     []test{{"internal/apikey", "TestWhatRenewsTheGeneration"}},
		unseen: "the command takes its lock by a column that renews the generation, too",
	},
	{
		name:   "the generation is read after the key",
		opens:  "An answer from before a change stands under the generation after it.",
		edits:  []edit{{"internal/apikey/authenticate.go", "\tkey, err := a.client.APIKey.Query().Where(apikey.Hash(d.stored())).Only(ctx)\n", "\tkey, err := a.client.APIKey.Query().Where(apikey.Hash(d.stored())).Only(ctx)\n\tgeneration = a.last.Load().generation\n"}},
		by:     []test{{"internal/apikey", "TestLateAnswer"}},
		unseen: "the generation would have to be read in the very moment",
	},
	{
		name:  "all keys get a new scope",
		opens: "Who rescopes one key rescopes every workspace's.",
		edits: []edit{{"internal/apikey/change.go", "\t\tupdate := tx.APIKey.Update().Where(apikey.ID(id))\n", "\t\tupdate := tx.APIKey.Update()\n"}},
		by:    []test{prove, {"internal/apikey", "TestSetScopeTouchesOneKey"}},
	},
	{
		name:  "all keys are revoked",
		opens: "Who revokes one key shuts every workspace out.",
		edits: []edit{{"internal/apikey/change.go", "tx.APIKey.Update().Where(apikey.ID(id)).SetRevokedAt", "tx.APIKey.Update().SetRevokedAt"}},
		by:    []test{prove},
	},
	{
		name:   "keys of all are listed",
		opens:  "The operator of one workspace's keys sees those of the others.",
		edits:  []edit{{"internal/apikey/apikey.go", "\t\tWhere(apikey.WorkspaceID(workspace)).\n", ""}},
		by:     []test{{"internal/apikey", "TestList"}},
		unseen: "the list has no endpoint",
	},
	{
		name:  "the first of two keys counts",
		opens: "A proxy that looks at the second lets another through than it thinks.",
		edits: []edit{{"internal/server/admit.go", "len(given) != 1", "len(given) == 0"}},
		by:    []test{prove, {"internal/server", "TestAuthorizationHeader"}},
	},
	{
		name:  "a viewer that stays with its connection",
		opens: "The next key on it acts for the one before.",
		edits: []edit{
			{"internal/server/admit.go", "\tv, err := s.auth.Authenticate(c.Request.Context(), bearer(c.Request.Header))\n", "\tv, err := s.auth.Authenticate(c.Request.Context(), bearer(c.Request.Header))\n\tif before, known := viewers.LoadOrStore(c.Request.RemoteAddr, v); known && err == nil {\n\t\tv = before.(viewer.Viewer)\n\t}\n"},
			{"internal/server/admit.go", "\t\"strings\"\n", "\t\"strings\"\n\t\"sync\"\n"},
			{"internal/server/admit.go", "// viewerOf authenticates", "var viewers sync.Map\n\n// viewerOf authenticates"},
		},
		by: []test{prove},
	},
	{
		name:  "a viewer in an object that all requests use",
		opens: "A request acts for the key of another that runs beside it.",
		edits: []edit{
			{"internal/viewer/viewer.go", "\treturn context.WithValue(ctx, contextKey{}, v)\n", "\tcurrent.Store(&v)\n\treturn context.WithValue(ctx, contextKey{}, &current)\n"},
			{"internal/viewer/viewer.go", "\tv, ok := ctx.Value(contextKey{}).(Viewer)\n", "\tat, ok := ctx.Value(contextKey{}).(*atomic.Pointer[Viewer])\n\tvar v Viewer\n\tif ok {\n\t\tv = *at.Load()\n\t}\n"},
			{"internal/viewer/viewer.go", "type contextKey struct{}\n", "type contextKey struct{}\n\nvar current atomic.Pointer[Viewer]\n"},
			{"internal/viewer/viewer.go", "\t\"fmt\"\n", "\t\"fmt\"\n\t\"sync/atomic\"\n"},
		},
		by: []test{prove},
	},
}

// caches are faults in what is kept, and for whom.
var caches = []fault{
	{
		name:  "keys are kept by their first byte",
		opens: "One key opens the workspace of another.",
		edits: []edit{{"internal/apikey/cache.go", "func (c *cache) get(d digest) (entry, bool) {\n", "func (c *cache) get(d digest) (entry, bool) {\n\tclear(d[1:])\n"}, {"internal/apikey/cache.go", "\tin, out := c.known, c.unknown\n", "\tclear(d[1:])\n\tin, out := c.known, c.unknown\n"}},
		by:    []test{prove},
	},
	{
		name:  "look-ups that meet share an answer",
		opens: "Of two keys that are new at one moment, one opens the other's workspace.",
		edits: []edit{{"internal/apikey/authenticate.go", "a.flight.DoChan(string(d[:])", "a.flight.DoChan(\"key\""}},
		by:    []test{keysMeet, prove},
	},
	{
		name:  "statements of PostgreSQL are kept by their beginning",
		opens: "A query is answered by the statement of another.",
		edits: []edit{{"internal/database/prepared.go", "p.kept.Get(query); ok", "p.kept.Get(query[:min(len(query), 30)]); ok"}, {"internal/database/prepared.go", "p.kept.Add(query, stmt)", "p.kept.Add(query[:min(len(query), 30)], stmt)"}},
		by:    []test{prove},
	},
	{
		name:  "statements of SQLite are kept by their length",
		opens: "A query is answered by the statement of another.",
		edits: []edit{{"internal/database/sqlite_statements.go", "s.byText.Get(text); ok", "s.byText.Get(strings.Repeat(\"x\", len(text))); ok"}, {"internal/database/sqlite_statements.go", "s.byText.Add(text, kept)", "s.byText.Add(strings.Repeat(\"x\", len(text)), kept)"}, {"internal/database/sqlite_statements.go", "\t\"database/sql/driver\"\n", "\t\"database/sql/driver\"\n\t\"strings\"\n"}},
		by:    []test{prove},
	},
}
