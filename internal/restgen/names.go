package restgen

import (
	"fmt"
	"regexp"
	"slices"

	"entgo.io/ent/entc/gen"
)

var (
	// wireName is the form of a field's name, which is a column, a member of JSON
	// objects and a CSV header at once.
	wireName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	// pathName is the form of a resource's path, which is part of names too.
	pathName = regexp.MustCompile(`^[a-z][a-z0-9]*([_-][a-z0-9]+)*$`)
)

// reservedTable are the names of tables that the migrations or a database keep.
var reservedTable = regexp.MustCompile(`^(schema_migrations|schema_history|sqlite_.*|pg_.*)$`)

// systemColumns are those that every table of PostgreSQL has.
var systemColumns = []string{"cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"}

// longestName is how long a column's name can be in PostgreSQL, in bytes.
const longestName = 63

// schemaName is the form of a schema's name.
var schemaName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// taken are the files and folders of ent/ and ent/rest that are no schema's. Its
// own would replace them.
var taken = []string{"annotation", "client", "ent", "entc", "enttest", "exact", "filter", "generate", "history", "hook", "internal", "intercept",
	"migrate", "mutation", "predicate", "privacy", "resources", "rest", "rule", "runtime", "schema", "tx"}

// declared are what the files of ent/ that are no schema's declare and import, in
// lower case. Ent knows itself of the others. A schema's type and the import of its
// package stand beside them.
var declared = []string{"aggregatefunc", "commit", "commitfunc", "commithook", "committer", "constrainterror", "errtxstarted", "fromcontext",
	"hooks", "interceptfunc", "interceptors", "inters", "isconstrainterror", "isnotfound", "isnotloaded", "isnotsingular", "isvalidationerror", "json",
	"masknotfound", "mutate", "newclient", "newcontext", "newtxcontext", "notfounderror", "notloadederror", "notsingularerror", "opcreate", "opdelete",
	"opdeleteone", "open", "opupdate", "opupdateone", "querier", "querierall", "querierfunc", "querycontext", "reflect", "rollback", "rollbacker",
	"rollbackfunc", "rollbackhook", "scan", "selector", "sql", "sqlgraph", "sync", "traversefunc", "traverser", "txfromcontext", "use",
	"validationerror"}

// variable are what Ent calls variables in the code that it writes of a schema, where
// they would hide its package.
var variable = []string{"columns", "err", "grbuild", "name", "ok", "sbuild", "set", "values", "where"}

// unimportable are the names of packages that Go, or the code that Ent writes,
// cannot import.
var unimportable = []string{"entsql", "init", "main", "vendor"}

// nameFaults finds names of a schema that the generated code or the API could
// not carry. What is left, compile finds.
func nameFaults(t *gen.Type) (faults []string) {
	if slices.Contains(taken, t.PackageDir()) || slices.Contains(declared, t.PackageDir()) {
		faults = append(faults, fmt.Sprintf("%s collides with what is called %s in ent/ already: choose another name for the schema", t.Name, t.PackageDir()))
	}
	if slices.Contains(variable, t.PackageDir()) {
		faults = append(faults, fmt.Sprintf("%s collides with the variable %s of the code that is written of it: choose another name for the schema", t.Name, t.PackageDir()))
	}
	if t.PackageAlias() != "" && slices.ContainsFunc(t.Fields, (*gen.Field).IsEnum) {
		faults = append(faults, fmt.Sprintf("%s has an enum and the name of the package %s, which Ent imports, so that what it makes of the enum does not compile: choose another name for the schema", t.Name, t.PackageDir()))
	}
	if slices.Contains(unimportable, t.PackageDir()) {
		faults = append(faults, fmt.Sprintf("%s would have the package %s, which Go does not import: choose another name for the schema", t.Name, t.PackageDir()))
	}
	if reservedTable.MatchString(t.Table()) {
		faults = append(faults, fmt.Sprintf("%s would have the table %s, which is not for schemas: choose another name", t.Name, t.Table()))
	}
	if len(t.Table()) > longestName {
		faults = append(faults, fmt.Sprintf("%s would have the table %s, of which PostgreSQL would cut all but %d characters: choose a shorter name", t.Name, t.Table(), longestName))
	}
	if resourceOf(t).Record && !t.ID.Position.MixedIn {
		faults = append(faults, t.Name+".id replaces that of Record{}, which makes the ids: remove the field")
	}
	if !schemaName.MatchString(t.Name) {
		faults = append(faults, t.Name+" has a name that is no good as a file and in the description: use letters and digits alone, such as LineItem")
	}
	if fault := pathFault(t.Name, plural(t)); fault != "" {
		faults = append(faults, fault)
	}
	for _, f := range t.Fields {
		if len(f.Name) > longestName {
			faults = append(faults, fmt.Sprintf("%s.%s has a name longer than %d characters, which PostgreSQL would cut: choose a shorter one", t.Name, f.Name, longestName))
		}
		if slices.Contains(systemColumns, f.Name) {
			faults = append(faults, fmt.Sprintf("%s.%s has the name of a column that PostgreSQL keeps itself in every table: choose another", t.Name, f.Name))
		}
		if f.StructField() == "Fields" && !hidden(f) {
			faults = append(faults, fmt.Sprintf("%s.%s collides with the method Fields of the code that is written of it: choose another name", t.Name, f.Name))
		}
		if !wireName.MatchString(f.Name) {
			faults = append(faults, fmt.Sprintf("%s.%s has a name that is no good as a column and in JSON: use lower-case words joined by _, such as due_date", t.Name, f.Name))
		}
		if f.StorageKey() != f.Name {
			faults = append(faults, fmt.Sprintf("%s.%s has a column of another name: remove StorageKey(%q)", t.Name, f.Name, f.StorageKey()))
		}
	}
	for _, e := range t.Edges {
		if !wireName.MatchString(e.Name) {
			faults = append(faults, fmt.Sprintf("edge %s.%s has a name that is no Go name: use lower-case words joined by _", t.Name, e.Name))
		}
	}
	return append(faults, identifierFaults(t)...)
}

// pathFault is what is wrong with a schema's path, "" for nothing.
func pathFault(schema, path string) string {
	if pathName.MatchString(path) {
		return ""
	}
	return fmt.Sprintf("%s has the path %q: use lower-case words, joined by - or _, in annotation.Plural", schema, path)
}

// identifierFaults finds two members of a schema of which Ent would make one
// identifier, such as a field status_in beside status.
func identifierFaults(t *gen.Type) (faults []string) {
	owners := map[string]string{}
	claim := func(owner string, identifiers ...string) {
		for _, i := range identifiers {
			if other, ok := owners[i]; ok && other != owner {
				faults = append(faults, fmt.Sprintf("%s of %s collides with %s, since Ent would make %s of both: choose another name", owner, t.Name, other, i))
				return
			}
			owners[i] = owner
		}
	}
	const ents = "a name that Ent keeps for itself"
	claim(ents, "And", "Or", "Not", "Columns", "ValidColumn",
		"String", "Update", "Unwrap", "Selected", "Edges", "Field", "Edge")
	for _, f := range append([]*gen.Field{t.ID}, t.Fields...) {
		claim("the field "+f.Name, fieldIdentifiers(f)...)
		for _, e := range f.Enums {
			claim(fmt.Sprintf("the value %q of %s", e.Value, f.Name), e.Name)
		}
	}
	for _, e := range t.Edges {
		name := e.StructField()
		claim("the edge "+e.Name, "Query"+name, "Has"+name, "Has"+name+"With", "Edge"+name, name+"Table", name+"InverseTable", name+"Column", "By"+name+"Field")
	}
	return faults
}

// fieldIdentifiers are what Ent makes of a field in its schema's package.
func fieldIdentifiers(f *gen.Field) []string {
	name := f.StructField()
	all := []string{name, "Field" + name, "By" + name, "Default" + name, "UpdateDefault" + name, name + "Validator"}
	for _, op := range f.Ops() {
		all = append(all, name+op.Name())
	}
	return all
}

// sharedNames finds schemas that would stand in each other's way.
func sharedNames(nodes []*gen.Type) (faults []error) {
	owners := map[string]*gen.Type{}
	told := map[*gen.Type]bool{}
	claim := func(t *gen.Type, what, name string) {
		key := what + " " + name
		if other := owners[key]; other != nil && other != t {
			if told[t] {
				return
			}
			told[t] = true
			faults = append(faults, at(t, fmt.Sprintf("%s collides with %s (%s): both would have the %s %s; rename one of the schemas", t.Name, other.Name, place(other.Pos()), what, name)))
			return
		}
		owners[key] = t
	}
	for _, t := range nodes {
		claim(t, "package", "ent/"+t.PackageDir())
		claim(t, "table", t.Table())
		for _, suffix := range typeSuffixes {
			claim(t, "type", t.Name+suffix)
		}
		if resourceOf(t).Record {
			claim(t, "path", "/"+plural(t))
		}
	}
	return faults
}

// typeSuffixes are behind the names of what Ent makes of a schema.
var typeSuffixes = []string{"", "Client", "Create", "CreateBulk", "Delete", "DeleteOne", "Edges", "GroupBy", "Mutation", "Query", "Select", "Update", "UpdateOne", "UpsertBulk"}
