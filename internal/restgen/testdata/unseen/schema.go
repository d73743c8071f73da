// Package unseen has a type that was meant as a schema, and one that schemas are
// built on.
package unseen

import (
	"entgo.io/ent"

	"records/ent/schema"
)

// Workspace is what the mixin's edge leads to.
type Workspace struct{ schema.Workspace }

type base struct{ ent.Schema }

// Company is a schema.
type Company struct{ base }

// Mixin of the Company.
func (Company) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }

type ticket struct{ ent.Schema }

// Mixin of the ticket.
func (ticket) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }
