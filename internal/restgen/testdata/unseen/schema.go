// Package unseen has types that were meant as schemas, and some that schemas are
// built on.
package unseen

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/mixin"

	"records/ent/schema"
)

// Workspace is what the mixin's edge leads to.
type Workspace struct{ schema.Workspace }

type base struct{ ent.Schema }

type dated struct{ mixin.Schema }

// Late is a mixin.
type Late struct{ dated }

// guarded is a mixin with a policy.
type guarded struct{ mixin.Schema }

// Policy of the guarded.
func (guarded) Policy() ent.Policy { return nil }

// Loose has another in place of it.
type Loose struct{ guarded }

// Policy of the Loose.
func (Loose) Policy() ent.Policy { return nil }

// Company is a schema.
type Company struct{ base }

// Mixin of the Company.
func (Company) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}, Late{}, Loose{}} }

// Fields of the Company.
func (Company) Fields() []ent.Field { return nil }

type ticket struct{ ent.Schema }

// Mixin of the ticket.
func (ticket) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }

// Visit has methods that Ent does not see.
type Visit struct{ ent.Schema }

// Mixin of the Visit.
func (*Visit) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }

// Call has no schema.
type Call struct{ dated }
