package restgen

import "entgo.io/ent/entc/gen"

// manyToOne makes a reference to the same resource, such as a task's parent
// task, what every other reference is. Ent reads edge.To("parent", Task.Type)
// on Task as one to one: it would be unique, and setting it would write the
// other record too (https://entgo.io/docs/schema-edges#o2o-bidirectional).
func manyToOne(g *gen.Graph) {
	for _, t := range g.Nodes {
		for _, e := range t.Edges {
			if e.Type == t && e.Bidi && e.O2O() && resourceOf(t).Record {
				e.Rel.Type, e.Bidi = gen.M2O, false
			}
		}
	}
}
