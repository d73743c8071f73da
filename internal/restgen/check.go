package restgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"records/ent/annotation"
	"records/ent/rule"
)

// serverSet are the fields of the mixin that no client may write.
var serverSet = []string{"id", rule.WorkspaceField, "created_at", "updated_at"}

// check refuses a graph in which a schema is not safely inside its workspace.
// All faults are told at once, each with its file and the remedy.
func check(g *gen.Graph) error {
	faults := sharedNames(g.Nodes)
	for _, t := range g.Nodes {
		for _, fault := range faultsOf(t) {
			faults = append(faults, at(t, fault))
		}
	}
	return errors.Join(faults...)
}

func faultsOf(t *gen.Type) []string {
	if t.NumPolicy() == 0 {
		return []string{t.Name + " has no policy, so that everyone could read it: add Record{} to its Mixin"}
	}
	_, internal := t.Annotations[annotation.Internal{}.Name()]
	record := resourceOf(t).Record
	switch {
	case internal && record:
		return []string{t.Name + " is both a record and internal: remove annotation.Internal{}, or Record{} from its Mixin"}
	case internal:
		return nil
	case !record:
		return []string{t.Name + " is no record: add Record{} to its Mixin, or mark it annotation.Internal{} if it is no resource"}
	case !guardedFirst(t):
		return []string{t.Name + " has a policy before that of Record{}, and an Allow there would end the evaluation: put Record{} first in its Mixin"}
	}
	faults := slices.Concat(nameFaults(t), tableFaults(t), uniqueFaults(t), indexFaults(t), fieldFaults(t))
	for _, e := range t.Edges {
		faults = append(faults, edgeFaults(t, e)...)
	}
	_, broken := rulesOf(t)
	return slices.Concat(faults, historyFaults(t), broken)
}

// guardedFirst reports whether the first policy is that of the mixin which
// brings the workspace.
func guardedFirst(t *gen.Type) bool {
	first := t.PolicyPositions()[0]
	for _, f := range t.Fields {
		if f.Name == rule.WorkspaceField {
			return f.Position.MixedIn && first.MixedIn && first.MixinIndex == f.Position.MixinIndex
		}
	}
	return false
}

// uniqueFaults finds what would be unique across workspaces: it would tell one
// workspace what another holds.
func uniqueFaults(t *gen.Type) (faults []string) {
	for _, f := range t.Fields {
		if f.Unique {
			faults = append(faults, fmt.Sprintf("%s.%s is unique across workspaces: remove Unique() and add index.Fields(%q, %q).Unique()",
				t.Name, f.Name, rule.WorkspaceField, f.Name))
		}
	}
	for _, i := range t.Indexes {
		if i.Unique && !slices.Contains(i.Columns, rule.WorkspaceField) {
			faults = append(faults, fmt.Sprintf("%s has a unique index on (%s) across workspaces: add %q as its first field",
				t.Name, strings.Join(i.Columns, ", "), rule.WorkspaceField))
		}
	}
	return faults
}

// edgeFaults holds edges to the one form that the composite foreign keys
// guard: a nullable reference with a field, and no setter on the other side.
func edgeFaults(t *gen.Type, e *gen.Edge) (faults []string) {
	if e.Name == "workspace" {
		return nil
	}
	name := t.Name + "." + e.Name
	if e.IsInverse() || !e.Unique {
		return []string{fmt.Sprintf("edge %s is a list: its setters could take another workspace's records; declare the reference on the other schema with edge.To(…).Field(…).Unique()", name)}
	}
	if e.Rel.Type != gen.M2O {
		return []string{fmt.Sprintf("edge %s is one to one: Ent would make it unique across workspaces and write the other record too; remove the edge, and keep %s as a plain field", name, e.Name+"_id")}
	}
	if e.Field() == nil {
		return []string{fmt.Sprintf("edge %s has no field: add field.UUID(%q, uuid.UUID{}).Optional().Nillable() and .Field(%q)", name, e.Name+"_id", e.Name+"_id")}
	}
	if a := e.EntSQL(); a != nil && a.OnDelete != "" {
		faults = append(faults, fmt.Sprintf("edge %s has OnDelete(%s): a delete always sets what refers to the record to null; remove the annotation", name, a.OnDelete))
	}
	if !resourceOf(e.Type).Record {
		faults = append(faults, fmt.Sprintf("edge %s leaves the workspace: %s is no record", name, e.Type.Name))
	}
	if !e.Optional || !e.Field().Optional {
		faults = append(faults, fmt.Sprintf("edge %s is required: deleting the %s must be able to set it to null; make its field Optional().Nillable()", name, e.Type.Name))
	}
	if e.Field().Default {
		faults = append(faults, fmt.Sprintf("edge %s has a field with a Default, by which every workspace would refer to a record of that id: remove Default from %s", name, e.Field().Name))
	}
	if other := sharing(t, e); other != "" {
		faults = append(faults, fmt.Sprintf("edge %s has the field %s, which the edge %s has already: give it a field of its own", name, e.Field().Name, other))
	}
	return faults
}

// sharing names the edge before e that has its field, "" where there is none.
func sharing(t *gen.Type, e *gen.Edge) string {
	for _, other := range t.Edges {
		if other == e {
			break
		}
		if other.Field() == e.Field() {
			return other.Name
		}
	}
	return ""
}

// resourceOf returns the schema's Resource annotation, the mixin's included.
func resourceOf(t *gen.Type) (r annotation.Resource) {
	decodeAnnotation(t.Annotations[annotation.ResourceName], &r)
	return r
}

// fieldOf returns the field's annotation.
func fieldOf(f *gen.Field) (a annotation.Field) {
	decodeAnnotation(f.Annotations[annotation.FieldName], &a)
	return a
}

// decodeAnnotation undoes the JSON form in which Ent hands annotations over.
func decodeAnnotation(from, to any) {
	if b, err := json.Marshal(from); err == nil && from != nil {
		_ = json.Unmarshal(b, to) // an annotation of ours: it was written from the same type
	}
}
