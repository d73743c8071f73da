// Package infinite is a schema that Ent cannot read.
package infinite

import (
	"math"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"records/ent/annotation"
	"records/ent/schema"
)

// Workspace is what the mixin's edge leads to.
type Workspace struct{ schema.Workspace }

// Ticket has a default that is no number in JSON.
type Ticket struct{ ent.Schema }

// Mixin of the Ticket.
func (Ticket) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }

// Fields of the Ticket.
func (Ticket) Fields() []ent.Field {
	return []ent.Field{field.Float("most").Default(math.Inf(1)).Annotations(annotation.Hidden())}
}
