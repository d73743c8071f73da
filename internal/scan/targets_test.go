package scan_test

import (
	"reflect"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/scalar"
	"records/internal/scan"
)

// keeping is a type whose null leaves what was there, and of whose value a record
// keeps what it points to.
type keeping struct{ bytes []byte }

func (k *keeping) Scan(v any) error {
	switch v := v.(type) {
	case []byte:
		k.bytes = append(k.bytes[:0], v...)
	case string:
		k.bytes = append(k.bytes[:0], v...)
	}
	return nil
}

// Every kind of target: with a value in every second row and null in the others.
// No row has anything of another one, then or later.
func TestReusedTargetsKeepNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		spec := &sqlgraph.QuerySpec{Node: &sqlgraph.NodeSpec{}, ScanValues: func([]string) ([]any, error) {
			return []any{
				new(entsql.NullString), &entsql.NullScanner{S: new(uuid.UUID)}, new(uuid.UUID), new([]byte),
				new(keeping), &entsql.NullScanner{S: new(keeping)}, &entsql.NullScanner{S: new(scalar.Date)}, new(entsql.UnknownType),
			}, nil
		}}
		scan.Reuse(spec)
		rows := &entsql.Rows{}
		const id = "0189d6c0-0000-7000-8000-00000000000"
		if err := db.Driver().Query(t.Context(), `SELECT a, b, b, a, a, a, d, a FROM (
			SELECT 1 AS n, 'one' AS a, '`+id+`1' AS b, '2026-01-01' AS d UNION ALL SELECT 2, NULL, NULL, NULL
			UNION ALL SELECT 3, 'six', '`+id+`3', '2026-01-03' UNION ALL SELECT 4, NULL, NULL, NULL) AS x ORDER BY n`, []any{}, rows); err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		type row struct {
			text       entsql.NullString
			ref        entsql.NullScanner
			refID, id  uuid.UUID
			bytes      []byte
			kept       keeping
			maybe      *keeping
			maybeThere bool
			date       entsql.NullScanner
			unknown    *any
		}
		var all []row
		for rows.Next() {
			v, err := spec.ScanValues(nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) == 0 {
				v[7] = new(any) // as Ent does
			}
			if err := rows.Scan(v...); err != nil {
				t.Fatal(err)
			}
			r := row{
				text: *v[0].(*entsql.NullString), ref: *v[1].(*entsql.NullScanner), id: *v[2].(*uuid.UUID), bytes: *v[3].(*[]byte),
				kept: *v[4].(*keeping), maybe: v[5].(*entsql.NullScanner).S.(*keeping), maybeThere: v[5].(*entsql.NullScanner).Valid,
				date: *v[6].(*entsql.NullScanner), unknown: v[7].(*any),
			}
			r.refID = *r.ref.S.(*uuid.UUID)
			all = append(all, r)
		}
		if err := rows.Err(); err != nil || len(all) != 4 {
			t.Fatalf("%d rows, %v", len(all), err)
		}
		for i, r := range all {
			there, text := i%2 == 0, []string{"one", "", "six", ""}[i]
			if r.text.Valid != there || r.text.String != text || r.ref.Valid != there || r.date.Valid != there || r.maybeThere != there {
				t.Errorf("row %d: %+v", i, r)
			}
			if want := []uuid.UUID{uuid.MustParse(id + "1"), {}, uuid.MustParse(id + "3"), {}}[i]; r.id != want || there && r.refID != want {
				t.Errorf("row %d: ids %s, %s", i, r.id, r.refID)
			}
			if string(r.bytes) != text || string(r.kept.bytes) != text || string(r.maybe.bytes) != text || (*r.unknown == nil) == there {
				t.Errorf("row %d: %q, %q, %q, %v", i, r.bytes, r.kept.bytes, r.maybe.bytes, *r.unknown)
			}
		}
	})
}

// What a statement selects besides the columns of its table, the first record has.
func TestWhatAllRowsShareIsReadOnce(t *testing.T) {
	t.Parallel()
	var got [][]string
	spec := sqlgraph.NewQuerySpec("tasks", []string{"id", "name"}, nil)
	spec.ScanValues = func(columns []string) ([]any, error) { return make([]any, len(columns)), nil }
	spec.Assign = func(columns []string, _ []any) error {
		got = append(got, columns)
		return nil
	}
	scan.Reuse(spec)
	scan.Whole(spec, dialect.SQLite)
	for range 3 {
		if err := spec.Assign([]string{"id", "name", "total"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if want := [][]string{{"id", "name", "total"}, {"id", "name"}, {"id", "name"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
