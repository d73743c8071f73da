package main

// unrestored is why the property suite sees none of these.
const unrestored = "it restores nothing"

// restores are faults in what a restored database gives back.
var restores = []fault{
	{
		name:   "a restore that gives revoked keys back",
		opens:  "Who has a key that was revoked since the backup is let in again.",
		edits:  []edit{{"internal/backup/carry.go", "t.revoked_at IS NOT NULL AND api_keys", "t.revoked_at IS NULL AND api_keys"}},
		by:     []test{{"internal/backup", "TestRestoreGivesNothingBack"}, {"cmd/records", "TestCarryOver"}, {"cmd/records", "TestDocumentedDump"}, {"cmd/records", "TestDocumentedArchive"}},
		unseen: unrestored,
	},
	{
		name:   "a SQLite file that was replaced is read",
		opens:  "A key that was revoked in the file that took its place goes on reading.",
		edits:  []edit{{"internal/database/sqlite_file.go", "now-looked >= int64(lookEvery)", "now-looked < 0"}},
		by:     []test{{"internal/database", "TestFileThatIsGone"}},
		unseen: unrestored,
	},
	{
		name:   "a restore that leaves people signed in",
		opens:  "A session that was ended since the backup is open again.",
		edits:  []edit{{"internal/backup/carry.go", `"DELETE FROM sessions"`, `"DELETE FROM sessions WHERE 1 = 0"`}},
		by:     []test{{"internal/backup", "TestRestoreGivesNothingBack"}, {"cmd/records", "TestCarryOver"}, {"cmd/records", "TestDocumentedDump"}},
		unseen: unrestored,
	},
	{
		name:  "a restored database that is taken for the other one",
		opens: "Whoever mixes the two up removes members from the one that is in use.",
		edits: []edit{
			{"internal/backup/knows.go", "if err == nil && n == 0 {", "if err == nil && n < 0 {"},
			{"internal/backup/knows.go", "if n > 0 {", "if n < 0 {"},
		},
		by:     []test{{"cmd/records", "TestCarryOverFaults"}, {"cmd/records", "TestDocumentedDump"}},
		unseen: unrestored,
	},
}
