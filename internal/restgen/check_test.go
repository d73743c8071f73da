package restgen

import (
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
	"RenamedPresent":   {`RenamedPresent.title is RenamedFrom("subject"), which is a field still`, "remove the annotation"},
	"RenamedTwice":     {`RenamedTwice.heading is RenamedFrom("subject"), and so is RenamedTwice.title`, "remove the annotation"},
	"OptionalBackfill": {"OptionalBackfill.note has a Backfill and is optional", "remove annotation.Backfill"},
	"EmptyBackfill":    {"EmptyBackfill.note has an empty Backfill", "give a value"},
	"LongBackfill":     {"LongBackfill.note has a Backfill of several lines", "give one line"},
	"ListEdge":         {"edge ListEdge.companies is a list", "edge.To(…).Field(…).Unique()"},
	"InverseEdge":      {"edge InverseEdge.required is a list", "edge.To(…).Field(…).Unique()"},
	"NoField":          {"edge NoField.company has no field", `field.UUID("company_id", uuid.UUID{}).Optional().Nillable()`},
	"RequiredEdge":     {"edge RequiredEdge.company is required", "Optional().Nillable()"},
	"LeavingEdge":      {"edge LeavingEdge.other leaves the workspace", "Workspace is no record"},
	"SelfEdge":         {"edge SelfEdge.parent is one to one", "parent_id as a plain field"},
	"NoWireType":       {"NoWireType.size has type []byte, which has no wire type", "use a string"},
	"NotNillable":      {"NotNillable.note is Optional without Nillable", "add Nillable()"},
}

// may are the schemas of testdata/unsafe that may generate.
var may = map[string]bool{"Company": true, "Workspace": true}

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
			holds(t, n.Name, err, append(want, "ent/schema/"+strings.ToLower(n.Name)+".go: "))
		}
	}
	if want := len(refused) + len(may); len(g.Nodes) != want {
		t.Errorf("%d schemas were loaded, want %d", len(g.Nodes), want)
	}
}

// All faults of all files are told at once.
func TestAllFaultsAreTold(t *testing.T) {
	err := generate(loadGraph(t, "./testdata/unsafe"))
	for name, want := range refused {
		if name != "NoWireType" && name != "NotNillable" { // not of isolation, and looked for afterwards
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
	err := Extension().Hooks()[0](reached).Generate(g)
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
	g, err := entc.LoadGraph(path, &gen.Config{Target: t.TempDir(), Package: "records/ent"})
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
