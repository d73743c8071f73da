package restgen

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"
)

// mostIndexed is how many characters the texts of an index may have together.
// PostgreSQL keeps no row of more than 2,704 bytes in an index (BTMaxItemSize), of
// which a character takes up to four, and fails what is to write a longer one.
const mostIndexed = 600

// indexFaults finds indexes that PostgreSQL could not make, or not keep whatever
// clients write. SQLite knows no such limits.
func indexFaults(t *gen.Type) (faults []string) {
	var seen []string
	for _, i := range t.Indexes {
		over := strings.Join(i.Columns, ", ")
		if slices.Contains(seen, over) {
			faults = append(faults, fmt.Sprintf("%s has two indexes on (%s): remove one; a unique one does for both", t.Name, over))
		}
		seen = append(seen, over)
		var a entsql.IndexAnnotation
		if decodeAnnotation(i.Annotations[a.Name()], &a); a.Type != "" || len(a.Types) > 0 || a.OpClass != "" || len(a.OpClassColumns) > 0 {
			continue // of another kind, with limits of its own
		}
		for _, fault := range rowFaults(t, i) {
			faults = append(faults, fmt.Sprintf("%s has an index on (%s) and %s", t.Name, over, fault))
		}
	}
	return faults
}

// rowFaults finds what may be too large for a row of an index.
func rowFaults(t *gen.Type, i *gen.Index) (faults []string) {
	var characters int64
	var texts []string
	for _, f := range t.Fields {
		switch {
		case !slices.Contains(i.Columns, f.StorageKey()):
		case f.IsJSON(), f.IsBytes():
			faults = append(faults, fmt.Sprintf("%s has no greatest length, which PostgreSQL needs there: leave it out", f.Name))
		case f.IsString() && maxLength(f) == 0:
			faults = append(faults, fmt.Sprintf("%s has no greatest length, which PostgreSQL needs there: give it a MaxRuneLen", f.Name))
		case f.IsString():
			characters += maxLength(f)
			texts = append(texts, f.Name)
		}
	}
	if characters > mostIndexed {
		faults = append(faults, fmt.Sprintf("%s can be %d characters long, of which PostgreSQL takes %d there: give a lower MaxRuneLen, or leave one out",
			strings.Join(texts, " and "), characters, mostIndexed))
	}
	return faults
}
