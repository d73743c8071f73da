package main

const (
	endpointsGo = "internal/rest/endpoints.go"
	admitGo     = "internal/server/admit.go"
)

var (
	getsRecord  = "\trecord, ok := work(e, c, func(ctx context.Context) (T, error) { return e.read(ctx, id) })\n"
	importsRule = edit{endpointsGo, "\t\"records/internal/scalar\"\n", "\t\"records/ent/rule\"\n\t\"records/internal/scalar\"\n"}
	makesViewer = "\tc.Request = c.Request.WithContext(viewer.NewContext(ctx, v))\n"
	importsUUID = edit{admitGo, "\t\"github.com/gin-gonic/gin\"\n", "\t\"github.com/gin-gonic/gin\"\n\t\"github.com/google/uuid\"\n"}
)

// endpoints are faults of the HTTP layer.
var endpoints = []fault{
	{
		name:  "a get as the operator",
		opens: "It finds the record of any workspace.",
		edits: []edit{{endpointsGo, getsRecord, "\trecord, ok := work(e, c, func(ctx context.Context) (T, error) { return e.read(rule.AsOperator(ctx), id) })\n"}, importsRule},
		by:    []test{prove, places},
		held:  places,
	},
	{
		name:  "an update as the operator",
		opens: "It changes the record of any workspace.",
		edits: []edit{{endpointsGo, "e.calls.Update(ctx, id, in)", "e.calls.Update(rule.AsOperator(ctx), id, in)"}, importsRule},
		by:    []test{prove, places},
		held:  places,
	},
	{
		name:  "a delete that knows of foreign records",
		opens: "It says deleted: true for another workspace's id, and so that it is there.",
		edits: []edit{{endpointsGo, "\t\tRespond(c, http.StatusOK, appendDeleted(nil, id.String(), n > 0))\n", "\t\t_, absent := e.read(rule.AsOperator(c.Request.Context()), id)\n\t\tRespond(c, http.StatusOK, appendDeleted(nil, id.String(), n > 0 || absent == nil))\n"}, importsRule},
		by:    []test{prove, places},
		held:  places,
	},
	{
		name:  "another error for a foreign record",
		opens: "A get tells what is absent from what another workspace has.",
		edits: []edit{{endpointsGo, getsRecord, "\trecord, ok := work(e, c, func(ctx context.Context) (T, error) {\n\t\trecord, err := e.read(ctx, id)\n\t\tif _, absent := e.read(rule.AsOperator(ctx), id); err != nil && absent == nil {\n\t\t\terr = &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: \"This record is in another workspace.\"}\n\t\t}\n\t\treturn record, err\n\t})\n"}, importsRule},
		by:    []test{prove, places},
		held:  places,
	},
	{
		name:  "answers that are kept by their path",
		opens: "What one workspace got, the next gets too.",
		edits: []edit{
			{endpointsGo, getsRecord, "\tif kept, ok := answers.Load(c.Request.URL.Path); ok {\n\t\tRespond(c, http.StatusOK, kept.([]byte))\n\t\treturn\n\t}\n" + getsRecord + "\tif ok {\n\t\tanswers.Store(c.Request.URL.Path, e.calls.Append(nil, record))\n\t}\n"},
			{endpointsGo, "\t\"strings\"\n", "\t\"strings\"\n\t\"sync\"\n"},
			{endpointsGo, "// list answers GET", "var answers sync.Map\n\n// list answers GET"},
		},
		by: []test{prove},
	},
	{
		name:  "a body that chooses the workspace",
		opens: "Who names another workspace in a body writes there.",
		edits: []edit{
			{endpointsGo, "\tin = e.calls.NewInput()\n", "\tvar named struct {\n\t\tWorkspace uuid.UUID `json:\"workspace_id\"`\n\t}\n\tif v, ok := viewer.FromContext(c.Request.Context()); ok && json.Unmarshal(raw, &named) == nil && named.Workspace != uuid.Nil {\n\t\tv.Workspace = named.Workspace\n\t\tc.Request = c.Request.WithContext(viewer.NewContext(c.Request.Context(), v))\n\t}\n\tin = e.calls.NewInput()\n"},
			{endpointsGo, "\t\"records/internal/scalar\"\n", "\t\"records/internal/scalar\"\n\t\"records/internal/viewer\"\n"},
			{endpointsGo, "\t\"context\"\n", "\t\"context\"\n\t\"encoding/json\"\n"},
			{"internal/rest/decode.go", `"id": true,`, `"id": true, "workspace_id": true,`},
		},
		by: []test{prove, chooses},
	},
	{
		name:  "a header that chooses the workspace",
		opens: "X-Workspace-Id is believed.",
		edits: []edit{{admitGo, makesViewer, "\tif id, err := uuid.Parse(c.GetHeader(\"X-Workspace-Id\")); err == nil {\n\t\tv.Workspace = id\n\t}\n" + makesViewer}, importsUUID},
		by:    []test{prove, chooses},
	},
	{
		name:  "a query that chooses the workspace",
		opens: "?workspace_id= is believed.",
		edits: []edit{
			{admitGo, makesViewer, "\tif id, err := uuid.Parse(c.Query(\"workspace_id\")); err == nil {\n\t\tv.Workspace = id\n\t}\n" + makesViewer}, importsUUID,
			{"internal/rest/query.go", `parseQuery(rawQuery, "limit", "offset")`, `parseQuery(rawQuery, "limit", "offset", "workspace_id")`},
		},
		by: []test{prove, chooses},
	},
	{
		name:  "an answer that tells the workspace's id",
		opens: "A header says what is never told.",
		edits: []edit{{admitGo, makesViewer, makesViewer + "\tc.Header(\"X-Workspace\", v.Workspace.String())\n"}},
		by:    []test{prove},
	},
	{
		name:  "a Location that tells the workspace's id",
		opens: "So does the header of a create.",
		edits: []edit{
			{endpointsGo, "\t\tc.Header(\"Location\", location(c, record))\n", "\t\tv, _ := viewer.FromContext(c.Request.Context())\n\tc.Header(\"Location\", location(c, record)+\"?workspace=\"+v.Workspace.String())\n"},
			{endpointsGo, "\t\"records/internal/scalar\"\n", "\t\"records/internal/scalar\"\n\t\"records/internal/viewer\"\n"},
		},
		by: []test{prove, {"internal/server", "TestCreateLocation"}},
	},
	{
		name:   "an error in the database's words",
		opens:  "A fault of ours tells of tables, statements and values.",
		edits:  []edit{{"internal/rest/error.go", "CodeInternal, messageInternal, err}", "CodeInternal, err.Error(), err}"}},
		by:     []test{{"internal/server", "TestFaultsOfOurs"}},
		unseen: "nothing in it ends in a fault of ours",
	},
	{
		name:  "the log keeps the key",
		opens: "Who reads the log has the tokens.",
		edits: []edit{{"internal/server/middleware.go", "\t\tslog.String(\"route\", a.Route),\n", "\t\tslog.String(\"route\", a.Route),\n\t\tslog.String(\"key\", c.GetHeader(\"Authorization\")),\n"}},
		by:    []test{prove},
	},
}

// references are faults in what a body may refer to.
var references = []fault{
	{
		name:  "references are looked up as the operator",
		opens: "The message tells a foreign record from an absent one.",
		edits: []edit{
			{"internal/rest/reference.go", "all.known(ctx, f.Reference", "all.known(rule.AsOperator(ctx), f.Reference"},
			{"internal/rest/reference.go", "\t\"records/internal/database\"\n", "\t\"records/ent/rule\"\n\t\"records/internal/database\"\n"},
		},
		by:   []test{prove, refers},
		held: refers,
	},
	{
		name:  "references of an import are looked up as the operator",
		opens: "So does the fault of an import.",
		edits: []edit{
			{"internal/rest/load.go", "all.known(ctx, plural, ids)", "all.known(rule.AsOperator(ctx), plural, ids)"},
			{"internal/rest/load.go", "\t\"github.com/google/uuid\"\n", "\t\"github.com/google/uuid\"\n\n\t\"records/ent/rule\"\n"},
		},
		by:   []test{prove, refers},
		held: refers,
	},
	{
		name:   "an import that skips its references",
		opens:  "Only the database is left to refuse a foreign one, for all rows of a batch at once.",
		edits:  []edit{{"internal/rest/load.go", "checkBatch(ctx, all, bodies); err != nil", "checkBatch(ctx, all, nil); err != nil"}},
		by:     []test{{"internal/load", "TestReferences"}},
		unseen: "the database refuses the row in any case, and its short run imports too seldom to see the other words",
	},
	{
		name:   "an import into a workspace of a similar name",
		opens:  "The operator's records land with another customer.",
		edits:  []edit{{"cmd/records/app.go", "Where(workspace.Name(nameOrID)).Only(ctx)", "Where(workspace.NameHasPrefix(nameOrID)).First(ctx)"}},
		by:     []test{{"cmd/records", "TestWorkspaceOfASimilarName"}},
		unseen: "it imports below the command line",
	},
	{
		name:   "a workspace by its name before its id",
		opens:  "A workspace that is named like another's id gets the keys and the imports that are meant for that one.",
		edits:  []edit{{"cmd/records/app.go", "if id, err := scalar.ParseUUID(nameOrID); err == nil {", "if id, err := scalar.ParseUUID(nameOrID); err == nil && !a.client.Workspace.Query().Where(workspace.Name(nameOrID)).ExistX(ctx) {"}},
		by:     []test{{"cmd/records", "TestWorkspaceNamedLikeAnID"}},
		unseen: "it makes its keys below the command line",
	},
}
