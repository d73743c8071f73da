package main

// The tests of row-level security.
var (
	session = test{"internal/database", "TestSessionIsConfined"}
	wall    = test{"internal/rowsecurity", "TestEveryTableIsConfined"}
	seen    = test{"internal/rowsecurity", "TestNothingElseIsSeen"}
	open    = test{"internal/database", "TestNotConfined"}
	command = test{"cmd/records", "TestRowLevelSecurity"}
)

// rowSecurity are faults in the wall that PostgreSQL keeps, where it is up.
var rowSecurity = []fault{
	{
		name:  "a workspace that stays with its connection",
		opens: "A session goes on in the workspace of the one who had it before.",
		edits: []edit{{"internal/database/confined.go", "if c.confined.known && c.confined.to == v.Workspace {", "if c.confined.known {"}},
		by:    []test{prove, session, seen},
	},
	{
		name:   "nobody is whoever was there before",
		opens:  "Code that nobody asks for sees the workspace of the last request.",
		edits:  []edit{{"internal/database/confined.go", "\tif c.confined.known && c.confined.to == v.Workspace {", "\tif c.confined.known && (c.confined.to == v.Workspace || v.Workspace == uuid.Nil) {"}},
		by:     []test{session, seen},
		unseen: "every request that reaches a record has a viewer",
	},
	{
		name:   "a workspace that a rollback took back is taken for told",
		opens:  "A session is in the workspace from before the transaction.",
		edits:  []edit{{"internal/database/transaction.go", "\tt.op.c.confined.ended()\n", ""}},
		by:     []test{session},
		unseen: "no transaction of a request is in two workspaces",
	},
	{
		name:   "a rollback to a savepoint is not noticed",
		opens:  "So it is inside of a transaction.",
		edits:  []edit{{"internal/database/confined.go", "&& kindOf(query) == other {", "&& kindOf(query) == read {"}},
		by:     []test{session},
		unseen: "no request has savepoints",
	},
	{
		name:   "a table without row-level security",
		opens:  "The wall has a gap: what is in that table, the database shows to all.",
		edits:  []edit{{"internal/rowsecurity/rowsecurity.go", "append(entrest.Resources(nil).Tables(), ", "append(entrest.Resources(nil)[1:].Tables(), "}},
		by:     []test{wall},
		unseen: "the other walls stand",
	},
	{
		name:   "row-level security that shows all to nobody",
		opens:  "A session that is confined to no workspace sees all of them.",
		edits:  []edit{{"internal/rowsecurity/rowsecurity.go", "const own = \"workspace_id = nullif(", "const own = \"nullif(current_setting('\" + database.WorkspaceSetting + \"', true), '') IS NULL OR workspace_id = nullif("}},
		by:     []test{wall, seen},
		unseen: "the other walls stand",
	},
	{
		name:   "row-level security that lets everything be written",
		opens:  "The database takes records for another workspace.",
		edits:  []edit{{"internal/rowsecurity/rowsecurity.go", "USING (%s) WITH CHECK (%[4]s)", "USING (%s) WITH CHECK (true)"}},
		by:     []test{wall, {"internal/rowsecurity", "TestNothingElseIsWritten"}},
		unseen: "the other walls stand",
	},
	{
		name:   "a role that passes row-level security serves",
		opens:  "The wall is asked for, and is not there.",
		edits:  []edit{{"internal/database/confined.go", "text(row[2]); open != \"\" {", "text(row[2]); open == \"none\" {"}},
		by:     []test{open, command},
		unseen: "its role is confined",
	},
	{
		name:   "a pooler that shares sessions is not noticed",
		opens:  "A statement is run in a session that another client has confined.",
		edits:  []edit{{"internal/database/confined.go", "} else if process != fmt.Sprint(", "} else if process == fmt.Sprint(nil, "}},
		by:     []test{open},
		unseen: "there is no pooler in it",
	},
	{
		name:   "records that are out of sight are taken for none",
		opens:  "A role that is confined serves empty lists, where nobody told the program.",
		edits:  []edit{{"internal/rowsecurity/rowsecurity.go", "Postgres || db.Confined() {", "Postgres || db != nil {"}},
		by:     []test{command},
		unseen: "the program was told",
	},
}
