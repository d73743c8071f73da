// Package rest is the kit that the generated endpoints stand on: it decodes and
// validates bodies, pages lists, writes answers and errors. It knows no
// resource; ent/rest holds what varies by schema.
package rest

// Value is one field of a body: absent, null, or given.
type Value[T any] struct {
	value T
	state state
}

type state uint8

const (
	absent state = iota
	null
	given
)

// Given returns the value, and whether the body gave one.
func (v *Value[T]) Given() (T, bool) { return v.value, v.state == given }

// Sent reports whether a body had the field, null included.
func (v *Value[T]) Sent() bool { return v.state != absent }

func (v *Value[T]) clear() { v.state = null }

func (v *Value[T]) last() any { return v.value }

// Apply hands the value on: set for one that was given, clear for null, neither
// for an absent field. RFC 7396 asks for this on PATCH; on POST null and absent
// come to the same, but for a field with a default, which null does without.
func (v *Value[T]) Apply(set func(T), clear func()) {
	switch {
	case v.state == given:
		set(v.value)
	case v.state == null && clear != nil:
		clear()
	}
}
