// Package history is a resource whose annotations speak of the records that are
// there already.
package history

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"records/ent/annotation"
	"records/ent/schema"
)

// Workspace is what the mixin's edge leads to.
type Workspace struct{ schema.Workspace }

// HelpDesk has a name of two words.
type HelpDesk struct{ ent.Schema }

// Mixin of the HelpDesk.
func (HelpDesk) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }

// Fields of the HelpDesk.
func (HelpDesk) Fields() []ent.Field {
	return []ent.Field{
		field.String("title").Annotations(annotation.RenamedFrom("subject"), annotation.Backfill("untitled"), annotation.Examples("A")),
		field.String("severity").Annotations(annotation.Examples("A"), annotation.Backfill("it's \"low\"")),
		field.String("note"),
	}
}
