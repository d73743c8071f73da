// Package described is a resource whose description has to be read from its
// source, and whose path is no name.
package described

import (
	"errors"
	"regexp"
	"strings"

	"entgo.io/ent"
	entschema "entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/ent/schema"
	"records/internal/scalar"
)

const most = 9

// Workspace is what the mixin's edge leads to.
type Workspace struct{ schema.Workspace }

// Ticket is a question
// that someone asks.
//
// That is all.
type Ticket struct{ ent.Schema }

// Mixin of the Ticket.
func (Ticket) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }

// Annotations of the Ticket.
func (Ticket) Annotations() []entschema.Annotation {
	return []entschema.Annotation{annotation.Plural("support-tickets")}
}

// Fields of the Ticket.
func (Ticket) Fields() []ent.Field {
	return []ent.Field{
		field.String("plain").MaxRuneLen(20).Comment("What it is called"),
		field.String("full").MaxRuneLen(20).Validate(scalar.NotBlank),
		field.String("least").MinRuneLen(3).NotEmpty().Optional().Nillable(),
		field.String("bytes").MinLen(2).Optional().Nillable(),
		field.String("match").Match(regexp.MustCompile("^[a-z]+$")).Optional().Nillable(),
		field.String("perl").Match(regexp.MustCompile(`(?i)^\d+$`)).Optional().Nillable(),
		field.String("escaped").Match(regexp.MustCompile(`^[A-Z]{2}\-[0-9]+$`)).Optional().Nillable(),
		field.String("posix").Match(regexp.MustCompilePOSIX("^[a-z]+$")).Optional().Nillable(),
		field.String("prefix").Validate(begins("AB")).Optional().Nillable(),
		field.String("currency").Validate(scalar.CheckCurrency).Optional().Nillable(),
		field.String("own").Validate(func(string) error { return errors.New("is refused") }).Optional().Nillable(),
		field.Int("seats").Min(1).Default(2),
		field.Int8("range").Range(-3, 0x1e).Optional().Nillable(),
		field.Int64("computed").Max(most).Optional().Nillable(),
		field.Uint16("small").Optional().Nillable(),
		field.Int32("below").Negative().Optional().Nillable(),
		field.Float("ratio").Positive().Max(1e3).Optional().Nillable(),
		field.Float32("factor").Min(0).Optional().Nillable(),
		field.Other("price", scalar.Decimal{}).SchemaType(map[string]string{"postgres": "numeric(19,4)", "sqlite3": "text"}).Optional().Nillable(),
		field.Enum("mood").Values("good", "bad").Optional().Nillable(),
		field.UUID("parent_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("invoice_id", uuid.UUID{}).Optional().Nillable(),
	}
}

func begins(with string) func(string) error {
	return func(s string) error {
		if !strings.HasPrefix(s, with) {
			return errors.New("must begin with " + with)
		}
		return nil
	}
}

// Edges of the Ticket.
func (Ticket) Edges() []ent.Edge {
	return []ent.Edge{edge.To("invoice", Invoice.Type).Field("invoice_id").Unique()}
}

// Indexes of the Ticket.
func (Ticket) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "plain").Unique()}
}

// Invoice can only be read.
type Invoice struct{ ent.Schema }

// Mixin of the Invoice.
func (Invoice) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }

// Annotations of the Invoice.
func (Invoice) Annotations() []entschema.Annotation {
	return []entschema.Annotation{annotation.ReadOnly()}
}

// Coupon has a code that no two have and none changes.
type Coupon struct{ ent.Schema }

// Mixin of the Coupon.
func (Coupon) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }

// Fields of the Coupon.
func (Coupon) Fields() []ent.Field {
	return []ent.Field{
		field.String("code").MaxRuneLen(20).Immutable(),
		field.String("note").MaxRuneLen(20).Optional().Nillable(),
	}
}

// Indexes of the Coupon.
func (Coupon) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "code").Unique()}
}
