package rest

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// checkImmutable refuses an update that gives an immutable field another value
// than the record has. The same value is fine, so that a fetched record can be
// sent back. The record is read only if the body has such a field; no other
// request can change the value before the update is written.
func (r resource[T, I]) checkImmutable(ctx context.Context, id uuid.UUID, in I) error {
	if !r.immutable || !slices.ContainsFunc(in.Fields(), func(f Field) bool { return f.Immutable && f.to.Sent() }) {
		return nil
	}
	record, err := r.read(ctx, id)
	if err != nil {
		return err
	}
	if changed := r.calls.Changed(in, record); len(changed) > 0 {
		return BadRequest(CodeValidationFailed, strings.Join(changed, ", ")+" cannot be changed.")
	}
	return nil
}

// Differs reports whether a body would make the field another than it is now,
// where nil is null. They are compared as clients see them, so that what is
// finer in the database, such as a default of microseconds, does not count.
func (v *Value[T]) Differs(now *T, appendValue func([]byte, T) []byte) bool {
	if v.state == absent {
		return false
	}
	wanted := &v.value
	if v.state == null {
		wanted = nil
	}
	return !bytes.Equal(AppendNullable(nil, wanted, appendValue), AppendNullable(nil, now, appendValue))
}

// Present points to a list or an object, and is nil where it is: so Ent reads
// null.
func Present[T []string | []int | []float64 | map[string]any](v T) *T {
	if v == nil {
		return nil
	}
	return &v
}
