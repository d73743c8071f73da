// Package annotation holds what an Ent schema tells the HTTP layer about
// itself beyond what Ent already knows. The generator (internal/restgen) reads
// these; the running program links only this small package, never the
// generator.
package annotation

import "entgo.io/ent/schema"

// Names under which Ent stores the annotations of a schema and of a field.
const (
	ResourceName = "Resource"
	FieldName    = "RecordField"
)

// Resource makes a schema a resource of the API. The mixin schema.Record
// carries it; a schema adds its own to change a default.
type Resource struct {
	// Record is set by the mixin and says that the schema stands on it.
	Record bool `json:",omitempty"`
	// Plural is the resource's path, such as "companies". Empty means Ent's
	// plural of the schema's name.
	Plural string `json:",omitempty"`
	// ReadOnly leaves only list and get in the API. Records then come in by
	// `records import`.
	ReadOnly bool `json:",omitempty"`
}

// Internal marks a schema that is no resource: it has no endpoint. Its policy must
// deny every key, but for reading in its own workspace what the API counts; people
// in the developer area, it must keep inside theirs.
type Internal struct{}

// Name implements schema.Annotation.
func (Internal) Name() string { return "Internal" }

// Name implements schema.Annotation.
func (Resource) Name() string { return ResourceName }

// Merge implements schema.Merger: the mixin's mark and the schema's own words
// come together.
func (r Resource) Merge(other schema.Annotation) schema.Annotation {
	o, ok := other.(Resource)
	if !ok {
		return r
	}
	r.Record = r.Record || o.Record
	r.ReadOnly = r.ReadOnly || o.ReadOnly
	if o.Plural != "" {
		r.Plural = o.Plural
	}
	return r
}

// ReadOnly leaves only list and get in the API.
func ReadOnly() Resource { return Resource{ReadOnly: true} }

// Plural names the resource's path where Ent's plural is not it.
func Plural(name string) Resource { return Resource{Plural: name} }

// Field is what a field tells the API.
type Field struct {
	// Format is the OpenAPI format of a string, such as "email".
	Format string `json:",omitempty"`
	// Backfill is what the records that are there get in a required field that
	// is new, or was optional; nil where nothing was said.
	Backfill *string `json:",omitempty"`
	// RenamedFrom is the name that the field had before.
	RenamedFrom string `json:",omitempty"`
	// Examples are believable values. They fill the description's examples,
	// the demo workspace and the tests; each must be valid.
	Examples []string `json:",omitempty"`
	// Hidden keeps the field from the API: neither shown nor taken.
	Hidden bool `json:",omitempty"`
	// WriteOnly has the API take the field and never show it.
	WriteOnly bool `json:",omitempty"`
}

// Name implements schema.Annotation.
func (Field) Name() string { return FieldName }

// Merge implements schema.Merger.
func (f Field) Merge(other schema.Annotation) schema.Annotation {
	o, ok := other.(Field)
	if !ok {
		return f
	}
	if o.Format != "" {
		f.Format = o.Format
	}
	if o.Backfill != nil {
		f.Backfill = o.Backfill
	}
	if o.RenamedFrom != "" {
		f.RenamedFrom = o.RenamedFrom
	}
	f.Examples = append(f.Examples, o.Examples...)
	f.Hidden = f.Hidden || o.Hidden
	f.WriteOnly = f.WriteOnly || o.WriteOnly
	return f
}

// Examples gives believable values of a field, as they would stand in a CSV
// file.
func Examples(values ...string) Field { return Field{Examples: values} }

// Hidden keeps a field from the API: the database and the Go client alone have
// it. So does Ent's Sensitive(), which also keeps it out of what Ent prints.
func Hidden() Field { return Field{Hidden: true} }

// WriteOnly has the API take a field on create and update, and never show it.
func WriteOnly() Field { return Field{WriteOnly: true} }

// Format names the OpenAPI format of a string field.
func Format(name string) Field { return Field{Format: name} }

// Backfill gives the value that the records of a database get which have none,
// when a required field is new or was optional before: as it would stand in a
// CSV file. It stays the column's default in the database, so that an older
// program can go on creating records meanwhile.
func Backfill(value string) Field { return Field{Backfill: &value} }

// RenamedFrom says what a field was called before, so that its values are kept
// under the new name. It may stay when that is done.
func RenamedFrom(name string) Field { return Field{RenamedFrom: name} }
