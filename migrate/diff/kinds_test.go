package diff_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/internal/scalar"
	"records/migrate/diff"
)

// What old records get is stored in the very form in which the program would
// have stored it, whatever the kind of the field.
func TestBackfillOfEveryKind(t *testing.T) {
	t.Parallel()
	price, err := scalar.ParseDecimal("-12345678901234.5")
	if err != nil {
		t.Fatal(err)
	}
	day, err := scalar.ParseDate("2026-02-28")
	if err != nil {
		t.Fatal(err)
	}
	type level string
	kinds := map[string]struct {
		column schema.Column
		value  any
		stored any // as Ent hands it to the driver
	}{
		"text":    {schema.Column{Type: field.TypeString}, `it's "so" — \n 'yes' $1 ?; -- no`, nil},
		"enum":    {schema.Column{Type: field.TypeEnum}, level("very-high"), "very-high"},
		"flag":    {schema.Column{Type: field.TypeBool}, true, nil},
		"small":   {schema.Column{Type: field.TypeInt8}, int8(-3), nil},
		"large":   {schema.Column{Type: field.TypeInt64}, int64(-9007199254740993), nil},
		"ratio":   {schema.Column{Type: field.TypeFloat64}, 1.5e-300, nil},
		"ratio32": {schema.Column{Type: field.TypeFloat32}, float32(0.1), nil},
		"price":   {schema.Column{Type: field.TypeOther, SchemaType: map[string]string{"postgres": "numeric(19,4)", "sqlite3": "text"}}, price, nil},
		"day":     {schema.Column{Type: field.TypeOther, SchemaType: map[string]string{"postgres": "date", "sqlite3": "text"}}, day, nil},
		"moment":  {schema.Column{Type: field.TypeTime}, time.Date(2026, 1, 31, 22, 30, 5, 250e6, time.FixedZone("", -3600)), nil},
		"person":  {schema.Column{Type: field.TypeUUID}, uuid.MustParse("0190163d-8694-739b-aea5-966c26f8ad90"), nil},
		"extra":   {schema.Column{Type: field.TypeJSON}, map[string]any{"it's": []int{1, 2}}, `{"it's":[1,2]}`},
		"tags":    {schema.Column{Type: field.TypeJSON}, []string{}, "[]"},
		"raw":     {schema.Column{Type: field.TypeJSON}, json.RawMessage(`[true]`), "[true]"},
	}
	l := newLab(t)
	says, _ := l.evolve(t, "", func(d *diff.Declaration) {
		for name, k := range kinds {
			k.column.Name = name
			addColumn(d, "tasks", k.column)
			d.Backfills["tasks."+name] = k.value
		}
	})
	l.secondIsEmpty(t)
	for name, k := range kinds {
		if k.stored == nil {
			k.stored = k.value
		}
		for d, db := range l.dbs {
			var n int
			if err := db.SQL().QueryRowContext(t.Context(), fmt.Sprintf("SELECT count(*) FROM tasks WHERE %s = $1", name), k.stored).Scan(&n); err != nil {
				t.Fatal(err)
			}
			if all := count(t, db, "tasks"); n != all || all == 0 {
				t.Errorf("%s: %s is right in %d of %d tasks; it says %s, and has %q", d, name, n, all, says[d], dump(t, db, "tasks", []string{name})[0])
			}
		}
	}
	for _, db := range l.dbs {
		fill(t, db)
	}
}
