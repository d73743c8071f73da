package main

const outsideOfProve = "its requests meet one server, which stays"

// failover are faults in how another server takes the place of one that is gone.
var failover = []fault{
	{
		name:   "a standby is taken for the primary",
		opens:  "Keys that were revoked go on, as long as the standby lags; writes fail.",
		edits:  []edit{{"internal/database/hosts.go", "params.Set(\"target_session_attrs\", string(pq.TargetSessionAttrsReadWrite))", "params.Set(\"target_session_attrs\", string(pq.TargetSessionAttrsAny))"}},
		by:     []test{{"internal/database", "TestFailover"}, {"internal/database", "TestParseURL"}},
		unseen: outsideOfProve,
	},
	{
		name:   "connections to the primary before go on",
		opens:  "A replica reads old records and revoked keys from a server that was replaced, and writes what is lost.",
		edits:  []edit{{"internal/database/primary.go", "\t\tp.term.end()\n", ""}},
		by:     []test{{"internal/database", "TestFailover"}},
		unseen: outsideOfProve,
	},
	{
		name:   "a server that was replaced is taken back",
		opens:  "What is written while the new primary is away goes to the one before, and is lost.",
		edits:  []edit{{"internal/database/primary.go", "l.timeline < other.timeline", "l.timeline < 0"}},
		by:     []test{{"internal/database", "TestFailover"}},
		unseen: outsideOfProve,
	},
	{
		name:   "a session is believed for ever",
		opens:  "Behind a pooler it goes on at a standby, with old records and revoked keys.",
		edits:  []edit{{"internal/database/primary.go", "time.Since(c.asked) < believed", "time.Since(c.asked) < time.Hour"}},
		by:     []test{{"internal/database", "TestFailoverBehindPoolers"}},
		unseen: outsideOfProve,
	},
	{
		name:   "a commit that no standby has confirmed is acknowledged",
		opens:  "A failover takes a write away that a client was told of.",
		edits:  []edit{{"internal/database/connection.go", "n.Routine == \"SyncRepWaitForLSN\"", "n.Routine == \"\""}},
		by:     []test{{"internal/database", "TestUnreplicated"}},
		unseen: outsideOfProve,
	},
	{
		name:   "a connection that refuses to write is kept",
		opens:  "Nothing is written by it any more, and every request that meets it fails.",
		edits:  []edit{{"internal/database/operation.go", "if pq.As(err, pqerror.ReadOnlySQLTransaction) != nil {", "if pq.As(err, pqerror.ReadOnlySQLTransaction) != nil && o.c.inTx {"}},
		by:     []test{{"internal/database", "TestServerThatTakesNoWritesAnyMore"}},
		unseen: outsideOfProve,
	},
}
