package rule_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/ent"
	entrest "records/ent/rest"
	"records/internal/dbtest"
	"records/internal/rest"
	"records/internal/viewer"
)

// schemas are the clients of all schemas, by name, whichever there are.
func schemas(client *ent.Client) map[string]reflect.Value {
	found := map[string]reflect.Value{}
	v := reflect.ValueOf(client).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && f.Name != "Schema" {
			found[f.Name] = v.Field(i)
		}
	}
	return found
}

// isRecord reports whether a schema is a resource of the API.
func isRecord(schema string) bool {
	return slices.ContainsFunc(entrest.Resources(nil), func(r rest.Resource) bool {
		return strings.ReplaceAll(r.Spec().Name, "_", "") == strings.ToLower(schema)
	})
}

func TestEveryResourceHasASchema(t *testing.T) {
	t.Parallel()
	records := 0
	for schema := range schemas(ent.NewClient()) {
		if isRecord(schema) {
			records++
		}
	}
	if want := len(entrest.Resources(nil)); records != want {
		t.Errorf("%d schemas are records, %d resources are there", records, want)
	}
}

// The generated client offers nothing that passes the policy by: no upsert, no
// SQL by hand, no Modify of an update, no setter of lists.
func TestClientHasNoWayAround(t *testing.T) {
	t.Parallel()
	client := ent.NewClient()
	banned := func(on reflect.Type, names ...string) {
		for i := range on.NumMethod() {
			name := on.Method(i).Name
			if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(name, n) }) {
				t.Errorf("%s has a method %s", on, name)
			}
		}
	}
	bannedLists := func(on reflect.Type) { // AddEffort of a number may stay
		for i := range on.NumMethod() {
			if name := on.Method(i).Name; strings.HasSuffix(name, "IDs") {
				t.Errorf("%s has a method %s", on, name)
			}
		}
	}
	banned(reflect.TypeOf(client), "Exec", "Query")
	banned(reflect.TypeFor[*ent.Tx](), "Exec", "Query")
	for schema, c := range schemas(client) {
		for _, builder := range []string{"Create", "Update", "Delete"} {
			on := c.MethodByName(builder).Type().Out(0)
			banned(on, "OnConflict", "Modify")
			bannedLists(on)
		}
		banned(c.MethodByName("CreateBulk").Type().Out(0), "OnConflict")
		banned(c.MethodByName("UpdateOneID").Type().Out(0), "OnConflict", "Modify")
		bannedLists(c.MethodByName("UpdateOneID").Type().Out(0))
		if isRecord(schema) {
			banned(c.MethodByName("Update").Type().Out(0), "SetWorkspace", "ClearWorkspace", "SetID", "SetCreatedAt")
		}
	}
}

// An update of no field still sets updated_at: Ent does not send an empty
// UPDATE, and answers it without asking the policy's predicate.
func TestNoUpdateIsEmpty(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	ctx := as(t, uuid.New(), viewer.Write)
	for schema, c := range schemas(ent.NewClient(ent.Driver(db.Driver()))) {
		if !isRecord(schema) {
			continue
		}
		update := call(c, "Update")[0]
		if err := failure(update, "Exec", ctx); err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		mutation := call(update, "Mutation")[0].Interface().(ent.Mutation)
		if _, ok := mutation.Field("updated_at"); !ok {
			t.Errorf("%s: an update of no field is empty", schema)
		}
	}
}
