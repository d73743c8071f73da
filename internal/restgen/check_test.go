package restgen

import (
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
)

// refused says, for each schema of testdata/unsafe that must not generate, what
// the message must hold: what is wrong, and the remedy.
var refused = map[string][]string{
	"NoPolicy":         {"has no policy", "add Record{} to its Mixin"},
	"InternalNoPolicy": {"has no policy"},
	"NoMixin":          {"is no record", "add Record{} to its Mixin", "annotation.Internal{}"},
	"Both":             {"is both a record and internal", "remove annotation.Internal{}"},
	"LateGuard":        {"has a policy before that of Record{}", "put Record{} first"},
	"Forged":           {"has a policy before that of Record{}", "put Record{} first"},
	"UniqueField":      {"UniqueField.code is unique across workspaces", `index.Fields("workspace_id", "code").Unique()`},
	"UniqueIndex":      {"unique index on (code, year) across workspaces", `add "workspace_id"`},
	"RenamedPresent":   {`RenamedPresent.title is RenamedFrom("subject"), which is a field still`, "remove the annotation", "write two migrations"},
	"RenamedTwice":     {`RenamedTwice.heading is RenamedFrom("subject"), and so is RenamedTwice.title`, "remove the annotation"},
	"OptionalBackfill": {"OptionalBackfill.note has a Backfill and is optional", "remove annotation.Backfill"},
	"EmptyBackfill":    {"EmptyBackfill.note has an empty Backfill", "give a value"},
	"LongBackfill":     {"LongBackfill.note has a Backfill of several lines", "give one line"},
	"LongIndex":        {"LongIndex has an index on (workspace_id, title, shelf, author) and title and author and shelf can be 900 characters long, of which PostgreSQL takes 600 there", "lower MaxRuneLen"},
	"EndlessIndex":     {"(workspace_id, title) and title has no greatest length", "give it a MaxRuneLen", "(tags) and tags has no greatest length", "leave it out"},
	"TwoIndexes":       {"TwoIndexes has two indexes on (workspace_id, code)", "remove one"},
	"SystemColumn":     {"SystemColumn.xmin has the name of a column that PostgreSQL keeps", "choose another"},
	"ListEdge":         {"edge ListEdge.companies is a list", "edge.To(…).Field(…).Unique()"},
	"InverseEdge":      {"edge InverseEdge.required is a list", "edge.To(…).Field(…).Unique()"},
	"NoField":          {"edge NoField.company has no field", `field.UUID("company_id", uuid.UUID{}).Optional().Nillable()`},
	"RequiredEdge":     {"edge RequiredEdge.company is required", "Optional().Nillable()"},
	"CascadingEdge":    {"edge CascadingEdge.company has OnDelete(CASCADE)", "remove the annotation"},
	"LeavingEdge":      {"edge LeavingEdge.other leaves the workspace", "Workspace is no record"},
	"Rest":             {"Rest collides with what is called rest in ent/ already"},
	"Scan":             {"Scan collides with what is called scan in ent/ already"},
	"Name":             {"Name collides with the variable name of the code that is written of it", "choose another name"},
	"Snake_Case":       {"Snake_Case has a name that is no good", "LineItem"},
	"BadPath":          {`BadPath has the path "bad/paths"`, "annotation.Plural"},
	"BadField":         {"BadField.dueDate has a name that is no good", "due_date"},
	"OtherColumn":      {"OtherColumn.phone has a column of another name", `StorageKey("tel")`},
	"BadEdge":          {"edge BadEdge.theCompany has a name"},
	"Telling":          {"Telling.pin is in a unique index and not shown", "remove the index"},
	"SchemaMigration":  {"SchemaMigration would have the table schema_migrations", "choose another name"},
	"OwnID":            {"OwnID.id replaces that of Record{}", "remove the field"},
	"LongName":         {"longer than 63 characters", "choose a shorter one"},
	"LongTable":        {"which PostgreSQL would cut all but 63", "choose a shorter name"},
	"KeptField":        {"the field update of KeptField collides with a name that Ent keeps", "choose another name"},
	"TwoFields":        {"the field status_in of TwoFields collides with the field status"},
	"FieldAndEdge":     {"the edge company of FieldAndEdge collides with the field query_company", "QueryCompany"},
	"EnumAndField":     {`the value "validator" of level of EnumAndField collides with the field level`, "LevelValidator"},
	"NoWireType":       {"NoWireType.size has type []byte, which has no wire type", "use a string"},
	"NoWireObject":     {"NoWireObject.size has type struct", "use a string", "field.JSON(…, map[string]any{})"},
	"NoWireList":       {"NoWireList.sizes has type []map[string]interface {}", "field.Strings"},
	"NoWireAny":        {"NoWireAny.size has type any", "or keep it from the API by annotation.Hidden()"},
	"NoWireGoType":     {"NoWireGoType.size has type unsafe.Cents", "field.Int64(…).GoType(time.Duration(0))"},
	"NotNillable":      {"NotNillable.note is Optional without Nillable", "add Nillable()"},
	"BadExample":       {`BadExample.tags has the example "a,b", which is no JSON array`, "as it would stand in a body"},
	"HiddenRequired":   {"HiddenRequired.origin is Hidden or Sensitive", "and required", "give it a Default", "annotation.WriteOnly()", "HiddenRequired.secret is Hidden"},
	"HiddenWriteOnly":  {"HiddenWriteOnly.pin is both Hidden and WriteOnly", "remove one"},
	"Deprecated":       {"Deprecated.old is Deprecated", "remove Deprecated()"},
	"Deleted":          {"ent/schema/names.go:", "the API itself and Deleted both need the name Deleted: rename the schema"},
	"QuotedEnum":       {`QuotedEnum.size is an enum with the value "12\""`, "signs other than quotes"},
	"ControlEnum":      {`ControlEnum.size is an enum with the value "small\tone"`, "signs other than quotes"},
	"Unnamed":          {"Unnamed.blob is of the type unsafe.secret, which the generated code cannot name", "Unnamed.blobs is of the type unsafe.secret", "begin its name with a capital letter"},
	"NillableAlone":    {"NillableAlone.note is Nillable without Optional", "add Optional(), or remove Nillable()"},
	"Main":             {"Main would have the package main, which Go does not import", "choose another name"},
	"Time":             {"Time has an enum and the name of the package time", "choose another name"},
	"Page":             {"Page collides with the variable page", "choose another name"},
	"OwnColumn":        {"OwnColumn.share is given a SchemaType, and PostgreSQL would round, cut or refuse", "remove it", "OwnColumn.pin is given a SchemaType", "OwnColumn.price is a decimal", "SchemaType(decimalColumn)", "OwnColumn.day is a date", "SchemaType(dateColumn)"},
	"OwnDefault":       {"OwnDefault.seats is given an annotation of entsql", "remove it, and say it by Default", "OwnDefault.code is given", "OwnDefault.made is given"},
	"OwnCheck":         {"OwnCheck.seats is given an entsql.Check, which no migration carries", "say it by Validate", "OwnCheck.origin is given an entsql.Check"},
	"UnnamedRule":      {"UnnamedRule has an entsql.Check without a name", `write entsql.Checks(map[string]string{"a_name": "seats > 0"})`},
	"BrokenRule":       {`BrokenRule has the rule "many_seats" (seats > 1 OR state = 'closed'), which its own examples and defaults break, with seats 1 and state open`, "annotation.Examples"},
	"UnfitRule": {
		`UnfitRule has the rule "Named" (seats > 0), whose name is no good`, `"unfit_rules_seats" (seats > 0), whose name begins with unfit_rules_`, "a rule is made of fields compared with",
		`"a01" (length(name) > 0), in which length is followed by "(", which is no comparison`, `name is followed by "LIKE"`, `"a03" (seats / 2 > 1), in which "/" has no place`,
		`"CURRENT_DATE" is no field`, `"||" has no place`, `"a06" (seats IN (SELECT 1)), in which "SELECT" is no field`, `"a07" (seats), in which seats is followed by ""`,
		`"a08" ((seats > 0), in which "" stands where ")" belongs`, "the number 99999999999999999999 has more than 64 bits", `"a10" (name <> 'it''s'), in which "'s'" has no place`,
		"the text 'a;b' has other signs", "seats is compared with a value of another kind: write a whole number", `"a13" (rooms > 0), in which rooms is no field of UnfitRule that clients write`,
		`"a14" (seats > rooms), in which rooms is no field`, `"a15" (origin <> 'api'), in which origin is not shown`, "in which pin is not shown, and what the rule refuses would tell its value",
		"tags is a list or an object", "company_id is a reference, and a delete", "name is compared by <, and the databases sort texts differently",
		"seats is compared with share, which is of another kind", "share is compared with part, which is of another kind", "made is compared with a value, which the databases keep",
		"write a day such as '2026-12-31'", "length is compared with a value", "a whole number of at most 53 bits", "created_at is no field", "write a text such as 'open'",
		`"a28" (seats > 0 -- at all), in which "--" has no place`, `"1.5" is no field and no value`, `"a30" (now() > made), in which now is followed by "("`, `"a31" (seats::text = '1'), in which "::" has no place`,
		`seats is followed by "BETWEEN"`, "workspace_id is no field", `"a34" (), in which "" is no field`,
		"state is compared with 'closd', which it never is: write one of open, closed",
	},
	"ChangingField":    {"ChangingField.revision is given an UpdateDefault", "remove it"},
	"LargeDefault":     {"LargeDefault.most is given a Default of more than 53 bits", "LargeDefault.odd is given", "LargeDefault.least is given", "by a function"},
	"OneFieldTwoEdges": {"edge OneFieldTwoEdges.customer has the field company_id, which the edge company has already", "a field of its own"},
	"DefaultReference": {"edge DefaultReference.company has a field with a Default", "remove Default"},
	"MethodField":      {"MethodField.fields collides with the method Fields", "choose another name"},
	"Skipped":          {"Skipped is given an annotation of entsql other than Table and Checks", "remove it"},
	"Sorted":           {"Sorted is given an annotation of entsql other than Table and Checks"},
	"TwoValidators":    {"TwoValidators.tags is a list with more than one Validate", "make them one"},
}

// may are the schemas of testdata/unsafe that may generate.
var may = map[string]bool{"Company": true, "Workspace": true, "SelfEdge": true, "Price": true, "PriceList": true, "Twin": true, "TwinQuery": true, "TWIN": true, "Path": true, "HiddenColumn": true, "Ruled": true, "HiddenMethodField": true}

// collide are schemas that may generate, but not beside the other one.
var collide = map[string]struct{ other, want string }{
	"TwinQuery": {"Twin", "TwinQuery collides with Twin (ent/schema/names.go:"},
	"TWIN":      {"Twin", "both would have the package ent/twin"},
	"Path":      {"Twin", "both would have the path /twins"},
	"Deleted":   {"Company", "the API itself and Deleted both need the name Deleted: rename the schema"},
	"Price":     {"PriceList", "PriceList and Price both need the name PriceList: rename the schema"},
}

func TestUnsafeSchemasDoNotGenerate(t *testing.T) {
	g := loadGraph(t, "./testdata/unsafe")
	for _, n := range g.Nodes {
		alone := *g
		alone.Nodes = []*gen.Type{n}
		err := generate(&alone)
		switch want := refused[n.Name]; {
		case may[n.Name] && err != nil:
			t.Errorf("%s is safe, and refused: %v", n.Name, err)
		case !may[n.Name] && want == nil:
			t.Errorf("no test says what %s must be refused for", n.Name)
		case !may[n.Name]:
			holds(t, n.Name, err, append(want, file(n)+":"))
			for line := range strings.Lines(fmt.Sprint(err)) {
				if strings.Count(err.Error(), strings.TrimSpace(line)) > 1 {
					t.Errorf("%s: it is told twice: %v", n.Name, err)
				}
			}
		}
	}
	if want := len(refused) + len(may); len(g.Nodes) != want {
		t.Errorf("%d schemas were loaded, want %d", len(g.Nodes), want)
	}
}

func TestSchemasThatCollideDoNotGenerate(t *testing.T) {
	g := loadGraph(t, "./testdata/unsafe")
	nodes := map[string]*gen.Type{}
	for _, n := range g.Nodes {
		nodes[n.Name] = n
	}
	for name, c := range collide {
		both := *g
		both.Nodes = []*gen.Type{nodes[c.other], nodes[name]}
		err := generate(&both)
		holds(t, name, err, []string{place(nodes[name].Pos()) + ": ", c.want, "rename"})
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: it is told more than once: %v", name, err)
		}
	}
}

// All faults of all files are told at once.
func TestAllFaultsAreTold(t *testing.T) {
	err := generate(loadGraph(t, "./testdata/unsafe"))
	for name, want := range refused {
		if !strings.HasPrefix(name, "NoWire") && name != "NotNillable" && name != "BadExample" && name != "Deleted" && name != "Page" && name != "BrokenRule" { // not of isolation, and looked for afterwards
			holds(t, name, err, want)
		}
	}
}

func TestTheSchemasOfTheProgramAreSafe(t *testing.T) {
	if err := generate(loadGraph(t, "../../ent/schema")); err != nil {
		t.Error(err)
	}
}

// generate runs the extension's hook, as entc.Generate does, on top of a
// generator that must not be reached with an unsafe graph and writes nothing.
func generate(g *gen.Graph) error {
	reached := gen.GenerateFunc(func(*gen.Graph) error { return errWritten })
	err := Extension(nil).Hooks()[0](reached).Generate(g)
	if err == errWritten {
		return nil
	}
	return err
}

type written struct{}

func (written) Error() string { return "the client was written" }

var errWritten = written{}

// loadGraph loads the schemas of a folder. Only one may be loaded at a time:
// entc builds them in one folder, under one name.
func loadGraph(t *testing.T, path string) *gen.Graph {
	t.Helper()
	storage, err := gen.NewStorage("sql")
	if err != nil {
		t.Fatal(err)
	}
	g, err := entc.LoadGraph(path, &gen.Config{Target: t.TempDir(), Package: "records/ent", Storage: storage})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func holds(t *testing.T, name string, err error, parts []string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s generated", name)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s: the message lacks %q: %v", name, part, err)
		}
	}
}

// Ent would pass over these without a word.
func TestUnseenSchemasAreRefused(t *testing.T) {
	err := generate(loadGraph(t, "./testdata/unseen"))
	holds(t, "unseen", err, []string{
		"ent/schema/schema.go:43: ticket is no schema to Ent, since its name begins with a lower-case letter: call it Ticket, or remove it",
		"ent/schema/schema.go:49: Visit is no schema to Ent, since its methods have pointers for receivers: write func (Visit) in place of func (*Visit), or remove it",
		"ent/schema/schema.go:55: Call is no schema to Ent, since it is built on the mixin dated: embed ent.Schema, and return dated{} from its Mixin(), or remove it",
		"ent/schema/robot_plan9.go:6: Robot is no schema to Ent, since Go leaves out robot_plan9.go on this system, by its name or a line //go:build: give the file another name, or remove it",
		"ent/schema/usage_test.go:6: Usage is no schema to Ent, since usage_test.go is a file of tests to Go: give the file another name, or remove it",
	})
	if err != nil && strings.Count(err.Error(), "is no schema") != 5 {
		t.Error(err)
	}
	holds(t, "a policy", err, []string{"Loose hides the policy of guarded by its own: embed mixin.Schema in place of it, and put both into the Mixin of the schemas, guarded{} first"})
}
