package diff

import (
	"crypto/sha256"
	"fmt"

	"entgo.io/ent/dialect/sql/schema"
)

// maxName is the length of a name in PostgreSQL, in bytes. It cuts off the rest,
// and two long names could become one.
const maxName = 63

// fit gives the indexes and foreign keys names that the databases keep. An index
// shares one space of names with all indexes and tables: `a` with `b_c` and
// `a_b` with `c` would both give a_b_c. Both then get a name with a hash of
// their table's, whatever the order they came in.
func fit(tables []*schema.Table) {
	taken := map[string]int{}
	for _, t := range tables {
		taken[t.Name]++
		taken[t.Name+"_pkey"]++ // PostgreSQL's name for the primary key
		for _, i := range t.Indexes {
			taken[i.Name]++
		}
	}
	for _, t := range tables {
		for _, i := range t.Indexes {
			if taken[i.Name] > 1 {
				i.Name = hashed(i.Name, t.Name)
			}
			i.Name = short(i.Name)
		}
		for _, fk := range t.ForeignKeys {
			fk.Symbol = short(fk.Symbol)
		}
	}
}

// short is the name, or its beginning with a hash of the whole.
func short(name string) string {
	if len(name) <= maxName {
		return name
	}
	return hashed(name, "")
}

// hashed is as much of the name as fits before a hash of it and of what tells
// it from others.
func hashed(name, salt string) string {
	const digits = 8
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(salt+"\x00"+name)))[:digits]
	return name[:min(len(name), maxName-len("_")-digits)] + "_" + sum
}
