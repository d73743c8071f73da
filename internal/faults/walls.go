package main

// initial is the name of the migration that brings the tables.
const initial = "20261121073704_initial.sql"

// walls are faults in what the database itself refuses, and in what the generator
// does.
var walls = []fault{
	{
		name:  "a reference without its foreign key",
		opens: "A task refers to the project of another workspace.",
		edits: []edit{
			{"migrate/postgres/" + initial, `, CONSTRAINT "tasks_projects_project" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("project_id")`, ""},
			{"migrate/sqlite/" + initial, ", CONSTRAINT `tasks_projects_project` FOREIGN KEY (`workspace_id`, `project_id`) REFERENCES `projects` (`workspace_id`, `id`) ON DELETE NO ACTION", ""},
		},
		after: sums,
		by:    []test{prove, refers, {"ent/rule", "TestDatabaseRefusesForeignReference"}},
	},
	{
		name:  "a primary key without the workspace",
		opens: "An id that one workspace has, no other can have: a restore fails, and tells why.",
		edits: []edit{
			{"migrate/postgres/" + initial, `"project_id" uuid NULL, PRIMARY KEY ("workspace_id", "id")`, `"project_id" uuid NULL, PRIMARY KEY ("id")`},
			{"migrate/sqlite/" + initial, "`project_id` uuid NULL, PRIMARY KEY (`workspace_id`, `id`)", "`project_id` uuid NULL, PRIMARY KEY (`id`)"},
		},
		after:  sums,
		by:     []test{sameID, {"ent/rule", "TestEveryKeyHasTheWorkspace"}},
		unseen: "the server makes the ids, and no two are the same",
	},
	{
		name:   "a trigger of SQLite clears references everywhere",
		opens:  "A delete clears the references of another workspace to a record of the same id.",
		edits:  []edit{{"migrate/sqlite/" + initial, "UPDATE `tasks` SET `project_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `project_id` = OLD.`id`", "UPDATE `tasks` SET `project_id` = NULL WHERE `project_id` = OLD.`id`"}},
		after:  sums,
		by:     []test{sameID},
		unseen: "the server makes the ids, and no two are the same",
	},
	{
		name:   "a schema without a policy is generated",
		opens:  "Its resource is open to every workspace.",
		edits:  []edit{{"internal/restgen/check.go", "if t.NumPolicy() == 0 {", "if t.NumPolicy() < 0 {"}},
		by:     []test{generator},
		unseen: "the schemas that are there have one",
	},
	{
		name:   "a policy before the record's is generated",
		opens:  "An Allow in it ends the evaluation before the workspace is looked at.",
		edits:  []edit{{"internal/restgen/check.go", "return f.Position.MixedIn && first.MixedIn && first.MixinIndex == f.Position.MixinIndex", "return f.Position.MixedIn || first.MixedIn"}},
		by:     []test{generator},
		unseen: "the schemas that are there have none",
	},
	{
		name:   "a mixin that hides the record's policy is generated",
		opens:  "Its own policy is asked in place of the one that looks at the workspace.",
		edits:  []edit{{"internal/restgen/extension.go", "errors.Join(check(g), unseen(g), policiesHidden(g))", "errors.Join(check(g), unseen(g))"}},
		by:     []test{{"internal/restgen", "TestUnseenSchemasAreRefused"}},
		unseen: "the schemas that are there have none",
	},
	{
		name:   "what is unique across workspaces is generated",
		opens:  "409 tells one workspace what another has.",
		edits:  []edit{{"internal/restgen/check.go", "if i.Unique && !slices.Contains(i.Columns, rule.WorkspaceField) {", "if i.Unique && slices.Contains(i.Columns, \"no such column\") {"}},
		by:     []test{generator},
		unseen: "the schemas that are there have no such index",
	},
	{
		name:   "a list on the other side of an edge is generated",
		opens:  "Its setters take the records of another workspace.",
		edits:  []edit{{"internal/restgen/check.go", "if e.IsInverse() || !e.Unique {", "if e.IsInverse() && !e.Unique && e.Name == \"\" {"}},
		by:     []test{generator},
		unseen: "the schemas that are there have no such edge",
	},
}
