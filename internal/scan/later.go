package scan

import (
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// Later has an update set a column of times to t, or to a millisecond after what is
// there, whichever is later: of updates that come at once, or from machines whose
// clocks differ, each is later than the one before.
func Later(u *sql.UpdateBuilder, column string, t time.Time) {
	u.Set(column, sql.ExprFunc(func(b *sql.Builder) {
		if b.Dialect() == dialect.Postgres {
			b.WriteString("GREATEST(").Ident(column).WriteString(" + interval '1 ms', ").Arg(t).WriteString(")")
			return
		}
		// Times are texts that sort, as the driver writes them.
		b.WriteString("MAX(IFNULL(STRFTIME('%Y-%m-%d %H:%M:%f+00:00', ").Ident(column).WriteString(", '+0.001 seconds'), ''), ").Arg(t).WriteString(")")
	}))
}
