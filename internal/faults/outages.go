package main

// forgetful is why the property suite does not see what these open.
const forgetful = "nothing goes away while it runs"

// lost are faults in what becomes of writes when something goes away.
var lost = []fault{
	{
		name:   "commits that do not wait for the disk",
		opens:  "A crash of PostgreSQL takes what was acknowledged in the last moment.",
		edits:  []edit{{"internal/database/postgres.go", "\tconfig.Runtime[\"timezone\"] = \"UTC\"\n", "\tconfig.Runtime[\"timezone\"], config.Runtime[\"synchronous_commit\"] = \"UTC\", \"off\"\n"}},
		by:     []test{outages},
		unseen: forgetful,
	},
	{
		name:   "counts that no crash survives",
		opens:  "count says after a crash of PostgreSQL that there is nothing.",
		edits:  []edit{{"migrate/postgres/" + keepCounts, "CREATE TABLE \"record_counts\"", "CREATE UNLOGGED TABLE \"record_counts\""}},
		after:  sums,
		by:     []test{outages},
		unseen: forgetful,
	},
	{
		name:   "writers are told before the commit",
		opens:  "What was acknowledged is not there, if the disk is full or the program is killed.",
		edits:  []edit{{"internal/database/together.go", "\tover = w.commit(c)\n", "\tfor _, p := range places {\n\t\tp.ready <- false\n\t}\n\tplaces = nil\n\tover = w.commit(c)\n"}},
		by:     []test{outages},
		unseen: forgetful,
	},
	{
		name:   "a write that was undone with others is acknowledged",
		opens:  "What was acknowledged is not there, if the disk is full.",
		edits:  []edit{{"internal/database/together.go", "\t\t\t\tdone.err = undone(over)\n", "\t\t\t\t_ = undone(over)\n"}},
		by:     []test{outages, {"internal/database", "TestTogetherAllFail"}},
		unseen: forgetful,
	},
	{
		name:   "a write whose reply was lost is sent again by the pool",
		opens:  "It meets its own first try, and its client reads that another record is in its way.",
		edits:  []edit{{"internal/database/operation.go", "\tcase o.effect:\n", "\tcase o.effect && o.ctx.Err() != nil:\n"}},
		by:     []test{outages, {"internal/database", "TestLostInsertIsThereOnce"}},
		unseen: forgetful,
	},
	{
		name:  "an insert whose reply was lost is repeated without looking",
		opens: "There are two records, and one answer.",
		edits: []edit{
			{"internal/database/once.go", "|| kind == other {\n", "|| kind == other || kind == insert {\n"},
			{"internal/rest/endpoints.go", "{ return e.resource.create(ctx, e.all, in) }", "{\n\t\trecord, err := e.resource.create(ctx, e.all, in)\n\t\tif err != nil {\n\t\t\treturn e.resource.create(ctx, e.all, in)\n\t\t}\n\t\treturn record, err\n\t}"},
		},
		by:     []test{outages},
		unseen: forgetful,
	},
	{
		name:   "a delete that is repeated says that nothing was there",
		opens:  "Who removed a record is told that somebody else did.",
		edits:  []edit{{"internal/database/once.go", "err == nil && n == 0 {", "err == nil && n < 0 {"}},
		by:     []test{outages, {"internal/database", "TestLostDeleteNeverSaysNone"}},
		unseen: forgetful,
	},
}
