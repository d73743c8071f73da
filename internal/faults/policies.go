package main

// policies are faults in ent/rule, and in who asks it.
var policies = []fault{
	{
		name:  "a query without its predicate",
		opens: "Lists and gets read every workspace.",
		edits: []edit{{"ent/rule/isolate.go", "\tn.NarrowTo(WorkspaceField, v.Workspace, narrow, again)\n", "\t_, _, _ = n, narrow, again\n"}},
		by:    []test{prove, places},
		held:  places,
	},
	{
		name:  "a text that is made once forgets its last condition",
		opens: "A get reads every workspace.",
		edits: []edit{
			{"internal/scan/exact.go", "exactText(key.dialect, table, columns, conditions))", "exactText(key.dialect, table, columns, conditions[:1]))"},
			{"internal/scan/exact.go", "text.(string), args, rows)", "text.(string), args[:1], rows)"},
		},
		by:   []test{prove, places, find},
		held: places,
	},
	{
		name:   "a text that is made once is kept for its table alone",
		opens:  "A query by one column gets the text of a query by another.",
		edits:  []edit{{"internal/scan/exact.go", "key.conditions[i], args[i] = c.Column, c.Value", "key.conditions[0], args[i] = \"\", c.Value"}},
		by:     []test{find},
		unseen: "each table is asked by one set of columns",
	},
	{
		name:   "what else narrows a query is passed over",
		opens:  "Find returns more than was asked for.",
		edits:  []edit{{"internal/scan/exact.go", "return len(conditions) <= exactMost && q.Limit == nil && q.Offset == nil && q.Unique == nil && len(q.Fields) == 0", "return len(conditions) <= exactMost"}},
		by:     []test{find},
		unseen: "no endpoint narrows it further",
	},
	{
		name:  "an update or a delete without its predicate",
		opens: "They reach the records of every workspace.",
		edits: []edit{{"ent/rule/isolate.go", "\tnarrow, _ := within(v.Workspace)\n\tn.WhereP(narrow)\n", "\t_ = n\n"}},
		by:    []test{prove, places},
		held:  places,
	},
	{
		name:  "a query policy that allows",
		opens: "An Allow before the rule ends the evaluation, and queries read every workspace.",
		edits: []edit{{"ent/schema/record.go", "QueryPolicy{rule.Isolate()}", "QueryPolicy{privacy.AlwaysAllowRule(), rule.Isolate()}"}},
		by:    []test{prove, places},
		held:  places,
	},
	{
		name:   "a record that names its workspace",
		opens:  "Code that sets workspace_id writes into any workspace.",
		edits:  []edit{{"ent/rule/isolate.go", "ok && given != workspace {\n\t\treturn privacy.Denyf(\"rule: a record of another workspace cannot be written\")", "ok {\n\t\t_ = given\n\t\treturn privacy.Skip"}},
		by:     []test{{"ent/rule", "TestWorkspaceIsTheViewers"}},
		unseen: "no endpoint sets it",
	},
	{
		name:   "UpdateOne is let through",
		opens:  "It reads its record back by id alone, another workspace's too.",
		edits:  []edit{{"ent/rule/isolate.go", "if m.Op().Is(ent.OpUpdateOne) {", "if false {"}},
		by:     []test{{"ent/rule", "TestUpdateOneIsDenied"}},
		unseen: "no endpoint uses it",
	},
	{
		name:   "a query without a viewer",
		opens:  "Code that nobody asks for reads every workspace.",
		edits:  []edit{{"ent/rule/isolate.go", "\t\treturn privacy.Denyf(\"rule: no viewer\")\n\t}\n\tn, ok := q.(query)", "\t\treturn privacy.Skip\n\t}\n\tn, ok := q.(query)"}},
		by:     []test{{"ent/rule", "TestNoViewer"}},
		unseen: "every request that reaches a query has a viewer",
	},
	{
		name:   "a viewer without a workspace",
		opens:  "The zero UUID passes for a workspace.",
		edits:  []edit{{"internal/viewer/viewer.go", "return v, ok && v.Workspace != uuid.Nil", "return v, ok"}},
		by:     []test{{"ent/rule", "TestNoViewer"}},
		unseen: "every key has a workspace",
	},
	{
		name:   "a statement by hand without a viewer",
		opens:  "A subquery, such as that of the count, reads every workspace.",
		edits:  []edit{{"ent/rule/within.go", "\t\ts.AddError(privacy.Denyf(\"rule: no viewer\"))\n\t\ts.SetP(sql.False())\n", "\t\t_ = privacy.Deny\n"}},
		by:     []test{{"ent/rule", "TestCountOfAPageFailsClosed"}},
		unseen: "every request that reaches a query has a viewer",
	},
	{
		name:   "the workspace's condition is joined as others are",
		opens:  "After Or() it is one side of an alternative.",
		edits:  []edit{{"ent/rule/within.go", "\tbefore := s.P()\n", "\ts.Where(condition)\n\treturn\n\tbefore := s.P()\n"}},
		by:     []test{raw, {"ent/rule", "TestRawPredicateWritesOnlyItsWorkspace"}},
		unseen: "endpoints have no predicates of their own",
	},
	{
		name:   "no second look at a statement",
		opens:  "What Modify does after the policy stays.",
		edits:  []edit{{"ent/rule/within.go", "p != nil && p != s.P()", "p != nil && false"}},
		by:     []test{raw},
		unseen: "what endpoints add loosens nothing",
	},
	{
		name:   "what is for operators only is for all",
		opens:  "Keys and workspaces are open to every viewer.",
		edits:  []edit{{"ent/rule/operator.go", "return privacy.Denyf(\"rule: for operators only\")", "return privacy.Skip"}},
		by:     []test{{"ent/rule", "TestOperatorOnly"}},
		unseen: "they have no endpoint",
	},
	{
		name:   "a neighbour that is asked without its workspace",
		opens:  "HasXWith answers about another workspace's record of the same id.",
		edits:  []edit{{"internal/restgen/templates/neighbour.tmpl", `if eq $f.Name "workspace_id"`, `if eq $f.Name "no such field"`}},
		after:  generate,
		by:     []test{{"ent/rule", "TestSameIDInBoth"}},
		unseen: "no endpoint asks about neighbours",
	},
	{
		name:  "RETURNING without the policy",
		opens: "An update reaches every workspace, and answers with its record.",
		edits: []edit{{"internal/restgen/templates/returning.tmpl", "update.Save(ctx); err", "update.sqlSave(ctx); err"}},
		after: generate,
		by:    []test{prove, places},
		held:  places,
	},
}

// scopes are faults in what a key may do.
var scopes = []fault{
	{
		name:   "the policy forgets the scope",
		opens:  "Code behind the HTTP layer writes for a key that may only read.",
		edits:  []edit{{"ent/rule/scope.go", "!ok || v.Scope != viewer.Write", "!ok || v.Scope == \"\""}},
		by:     []test{{"ent/rule", "TestReadScope"}},
		unseen: "the HTTP layer answers 403 before it",
	},
	{
		name:  "the HTTP layer forgets the scope",
		opens: "A key that may only read gets as far as the policy, and other answers than 403.",
		edits: []edit{{"internal/server/admit.go", "!ok || v.Scope != viewer.Write", "!ok || v.Scope == \"\""}},
		by:    []test{prove, readKey},
	},
	{
		name:  "both forget the scope",
		opens: "A key that may only read writes.",
		edits: []edit{
			{"internal/server/admit.go", "!ok || v.Scope != viewer.Write", "!ok || v.Scope == \"\""},
			{"ent/rule/scope.go", "!ok || v.Scope != viewer.Write", "!ok || v.Scope == \"\""},
		},
		by: []test{prove, readKey},
	},
	{
		name:  "every key may write",
		opens: "The scope is not taken from the key.",
		edits: []edit{{"internal/apikey/cache.go", "Scope: viewer.Scope(key.Scope)", "Scope: viewer.Write"}},
		by:    []test{prove, readKey},
	},
	{
		name:  "the scope is taken from a header",
		opens: "Who sends it may write.",
		edits: []edit{{"internal/server/admit.go", "\tc.Request = c.Request.WithContext(viewer.NewContext(ctx, v))\n", "\tif c.GetHeader(\"X-Http-Method-Override\") != \"\" {\n\t\tv.Scope = viewer.Write\n\t}\n\tc.Request = c.Request.WithContext(viewer.NewContext(ctx, v))\n"}},
		by:    []test{prove},
	},
}
