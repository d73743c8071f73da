package diff

import (
	"maps"
	"testing"
)

// Where this fails, a field has another kind, and no migration was written that
// would have asked about it: run make migration.
func TestKindsAreWrittenDown(t *testing.T) {
	t.Parallel()
	d, err := Declared()
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := ReadKinds("..")
	if err != nil || len(kinds) == 0 || !maps.Equal(kinds, d.Kinds) {
		t.Errorf("migrate/%s says %v, %v; the schemas declare %v", kindsFile, kinds, err, d.Kinds)
	}
	folder := t.TempDir()
	for _, written := range []bool{true, false} {
		path, err := WriteKinds(folder, kinds)
		if err != nil || (path != "") != written {
			t.Errorf("it wrote %q, %v", path, err)
		}
	}
	if again, err := ReadKinds(folder); err != nil || !maps.Equal(again, kinds) {
		t.Errorf("it reads %v, %v", again, err)
	}
}

// A kind follows another where every value stays what it is.
func TestFollows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"texts", "texts", true}, {"texts", "integers", false}, {"texts", "object", false}, {"object", "texts", false},
		{"integers", "floats", false}, {"floats", "integers", false},
		{"int64", "duration", false}, {"duration", "int64", false}, {"duration", "text", false},
		{"int64", "uint64", false}, {"uint64", "int64", true}, {"int16", "int8", false}, {"int8", "int16", true}, {"int", "int64", true},
		{"uint8", "int8", true}, {"uint8", "uint16", true}, {"int8", "uint16", false},
		{"enum", "text", true}, {"text", "enum", true}, {"uuid", "text", true}, {"int32", "text", true}, {"text", "uuid", false},
		{"int64", "integers", false}, {"bool", "int8", false}, {"timestamp", "date", false},
	} {
		if got := follows(c.from, c.to); got != c.want {
			t.Errorf("%s to %s: %t", c.from, c.to, got)
		}
	}
}
