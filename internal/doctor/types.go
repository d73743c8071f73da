package doctor

import (
	"slices"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
)

// types are the names that the databases have for the type of a column, as Ent gives it.
var types = map[string]map[field.Type]string{
	dialect.SQLite: {
		field.TypeBool: "bool", field.TypeBytes: "blob", field.TypeString: "text", field.TypeEnum: "text",
		field.TypeFloat32: "real", field.TypeFloat64: "real", field.TypeTime: "datetime", field.TypeJSON: "json", field.TypeUUID: "uuid",
		field.TypeInt8: "integer", field.TypeInt16: "integer", field.TypeInt32: "integer", field.TypeInt: "integer", field.TypeInt64: "integer",
		field.TypeUint8: "integer", field.TypeUint16: "integer", field.TypeUint32: "integer", field.TypeUint: "integer", field.TypeUint64: "integer",
	},
	dialect.Postgres: {
		field.TypeBool: "boolean", field.TypeBytes: "bytea", field.TypeString: "character varying", field.TypeEnum: "character varying",
		field.TypeFloat32: "real", field.TypeFloat64: "double precision", field.TypeTime: "timestamp with time zone", field.TypeJSON: "jsonb", field.TypeUUID: "uuid",
		field.TypeInt8: "smallint", field.TypeInt16: "smallint", field.TypeInt32: "integer", field.TypeInt: "bigint", field.TypeInt64: "bigint",
		field.TypeUint8: "smallint", field.TypeUint16: "integer", field.TypeUint32: "bigint", field.TypeUint: "bigint", field.TypeUint64: "bigint",
	},
}

// longText is the size above which Ent makes a text of PostgreSQL one without a limit.
const longText = 10 << 20

// saidAlike are the types of dates and decimals, which a schema says as the databases do.
// Others, such as varchar(40), only a hidden field can have.
var saidAlike = []string{"date", "numeric(19,4)", "text"}

// typeOf is what a database calls the type of a column, "" if that is not known.
func typeOf(c *schema.Column, dialectName string) string {
	switch said := c.SchemaType[dialectName]; {
	case slices.Contains(saidAlike, said):
		return said
	case said != "":
		return ""
	case dialectName == dialect.Postgres && c.Type == field.TypeString && c.Size > longText:
		return "text"
	}
	return types[dialectName][c.Type]
}
