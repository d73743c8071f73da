package rest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"records/internal/database"
)

// checked runs a write. The database itself refuses a reference to no record of
// the workspace, by its composite foreign keys; only then the references are
// looked up, to name all that are bad.
func checked[R any](ctx context.Context, all Resources, in Input, write func() (R, error)) (R, error) {
	result, err := write()
	if !database.IsForeignKeyViolation(err) {
		return result, err
	}
	if err := checkReferences(ctx, all, in); err != nil {
		return result, err
	}
	return write() // all are there by now: another request had the last word
}

// checkReferences names every field of the input that refers to no record of
// the workspace. The message is the same for an absent record and for another
// workspace's.
func checkReferences(ctx context.Context, all Resources, in Input) error {
	var bad []string
	for _, f := range in.Fields() {
		id, ok := referenceOf(&f)
		if !ok {
			continue
		}
		known, err := all.known(ctx, f.Reference, []uuid.UUID{id})
		if err != nil {
			return err
		}
		if !slices.Contains(known, id) {
			bad = append(bad, f.Name)
		}
	}
	return invalidReference(bad)
}

// referenceOf returns the id that a reference field holds, if it holds one.
func referenceOf(f *Field) (uuid.UUID, bool) {
	id, ok := f.to.(*Value[uuid.UUID])
	if f.Reference == "" || !ok {
		return uuid.Nil, false
	}
	return id.Given()
}

func (all Resources) known(ctx context.Context, plural string, ids []uuid.UUID) ([]uuid.UUID, error) {
	r, ok := all.Find(plural)
	if !ok {
		return nil, fmt.Errorf("rest: a reference to %q, which is no resource", plural)
	}
	return r.known(ctx, ids)
}

func invalidReference(fields []string) error {
	if len(fields) == 0 {
		return nil
	}
	verb := " refers"
	if len(fields) > 1 {
		verb = " each refer"
	}
	return BadRequest(CodeInvalidReference, strings.Join(fields, ", ")+verb+" to no record of this workspace.")
}
