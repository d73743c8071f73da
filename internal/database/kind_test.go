package database

import "testing"

func TestKindOf(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]kind{
		`SELECT 1`:                      read,
		` select * from "t" ; `:         read,
		"\n\tSELECT(1)":                 read,
		`VALUES (1)`:                    read,
		`SHOW timezone`:                 read,
		`INSERT INTO "t" VALUES (1)`:    insert,
		`UPDATE "t" SET "x" = 1`:        update,
		`DELETE FROM "t"`:               remove,
		`WITH x AS (SELECT 1) SELECT 1`: read,
		`WITH x AS (INSERT INTO t VALUES (1) RETURNING 1) SELECT 1`: other,
		`WITH x AS (SELECT 1) delete from t`:                        other,
		`SELECT 1; DELETE FROM t`:                                   other,
		`INSERT INTO t VALUES ('a;b')`:                              other,
		`MERGE INTO t USING s ON true`:                              other,
		`EXPLAIN ANALYZE DELETE FROM t`:                             other,
		`CREATE TABLE t (x int)`:                                    other,
		`;`:                                                         other,
		``:                                                          other,
	} {
		if got := kindOf(query); got != want {
			t.Errorf("kindOf(%q) = %d, want %d", query, got, want)
		}
	}
}
