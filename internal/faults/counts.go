package main

// keepCounts is the name of the migration that brings the triggers.
const keepCounts = "20261121135755_keep_counts.sql"

// countThemselves is that of the one which leaves alone what counts itself.
const countThemselves = "20261122030143_statements_count_themselves.sql"

// believed ends the reading of a page and its total also where the two do not agree,
// which would otherwise be tried again until the request's time is over.
var believed = edit{"internal/rest/count.go", "count <= page.Offset {", "count >= 0 {"}

// counts are faults in how many records a workspace seems to have.
var counts = []fault{
	{
		name:  "the total of a page without its workspace",
		opens: "count is that of all workspaces.",
		edits: []edit{{"internal/rest/count.go", "\t\trule.Narrow(s.Context(), total)\n", ""}},
		by:    []test{prove, counted, lists},
		held:  counted,
	},
	{
		name:  "an offset without its workspace",
		opens: "A page skips the records of all, and tells how many there are.",
		edits: []edit{{"internal/rest/count.go", "\t\trule.Narrow(s.Context(), first)\n", ""}},
		by:    []test{prove, lists},
		held:  lists,
	},
	{
		name:  "a total past the end as the operator",
		opens: "count is that of all workspaces, on a page with nothing on it.",
		edits: []edit{
			{"internal/rest/count.go", "r.calls.Count(ctx); err", "r.calls.Count(rule.AsOperator(ctx)); err"}, believed,
		},
		by:   []test{prove, counted},
		held: counted,
	},
	{
		name:  "kept counts without a policy",
		opens: "So it is, for whoever asks the table of the counts.",
		edits: []edit{{"ent/schema/recordcount.go", "privacy.QueryPolicy{rule.Isolate()}", "privacy.QueryPolicy{}"}, {"ent/schema/recordcount.go", "\t\"records/ent/rule\"\n", ""}, believed},
		by:    []test{prove, counted, {"ent/rule", "TestCountsAreOnesOwn"}},
		held:  counted,
	},
	{
		name:  "counts that forget what was deleted",
		opens: "count says what is there no more.",
		edits: []edit{
			{"migrate/counts/itself.go", "\"slot\", -1)", "\"slot\", 0)"},
			{"migrate/sqlite/" + keepCounts, "(OLD.`workspace_id`, 'tasks', 0, -1)", "(OLD.`workspace_id`, 'tasks', 0, 0)"},
		},
		after: sums,
		by:    []test{prove, {"internal/doctor", "TestCountsUnderConcurrency"}},
	},
	{
		name:  "records that count themselves, counted by the trigger again",
		opens: "count says twice what is there.",
		edits: []edit{{"migrate/postgres/" + countThemselves, "IF starts_with(", "IF false AND starts_with("}},
		after: sums,
		by:    []test{prove, counting},
	},
	{
		name:   "a trigger that leaves alone what another table's record has counted",
		opens:  "count says what a cascade has deleted.",
		edits:  []edit{{"migrate/postgres/" + countThemselves, " || TG_TABLE_NAME || ' ')", ")"}},
		after:  sums,
		by:     []test{{"internal/doctor", "TestCountsOfWhatFollows"}},
		unseen: "No schema makes the database do that; an operator may.",
	},
	{
		name:   "a trigger that leaves alone what a further trigger does",
		opens:  "count does not say what another trigger has created.",
		edits:  []edit{{"migrate/postgres/" + countThemselves, " AND pg_trigger_depth() = 1", ""}},
		after:  sums,
		by:     []test{{"internal/doctor", "TestCountsOfWhatFollows"}},
		unseen: "No schema makes the database do that; an operator may.",
	},
	{
		name:  "a record that neither counts itself nor is counted",
		opens: "count does not say what was created.",
		edits: []edit{{"migrate/counts/itself.go", "table, slot, n)", "table, slot, min(n, 0))"}},
		by:    []test{prove, counting},
	},
}
