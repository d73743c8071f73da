package rest

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// LoadError says which body of a batch is faulty, counted from 0, and why.
type LoadError struct {
	Index int
	Err   *Error
}

// Error implements error.
func (e *LoadError) Error() string { return fmt.Sprintf("body %d: %s", e.Index, e.Err.Message) }

// Unwrap returns what is wrong with the body.
func (e *LoadError) Unwrap() error { return e.Err }

// Create makes a record from a body.
func (r resource[T, I]) Create(ctx context.Context, all Resources, body []byte) ([]byte, error) {
	in := r.calls.NewInput()
	if _, err := Decode(body, in, true); err != nil {
		return nil, err
	}
	return r.create(ctx, all, in)
}

// create makes a record from a decoded body.
func (r resource[T, I]) create(ctx context.Context, all Resources, in I) ([]byte, error) {
	record, err := checked(ctx, all, in, func() (T, error) { return r.calls.Create(ctx, in) })
	if err != nil {
		return nil, err
	}
	return r.calls.Append(nil, record), nil
}

// Load creates a record from each body, by the rules of create. The first
// faulty body fails the batch with a LoadError; call it in a transaction, so
// that nothing of it stays.
func (r resource[T, I]) Load(ctx context.Context, all Resources, bodies [][]byte) error {
	inputs := make([]I, len(bodies))
	for i, body := range bodies {
		inputs[i] = r.calls.NewInput()
		if _, err := Decode(body, inputs[i], true); err != nil {
			return &LoadError{i, AsError(err)}
		}
	}
	if err := checkBatch(ctx, all, inputs); err != nil {
		return err
	}
	return r.calls.CreateBulk(ctx, inputs)
}

// checkBatch looks the references of a batch up, one query for each resource
// they refer to, and names the first input whose references are bad.
func checkBatch[I Input](ctx context.Context, all Resources, inputs []I) error {
	wanted := map[string]map[uuid.UUID]bool{}
	for _, in := range inputs {
		for _, f := range in.Fields() {
			if id, ok := referenceOf(f); ok {
				if wanted[f.Reference] == nil {
					wanted[f.Reference] = map[uuid.UUID]bool{}
				}
				wanted[f.Reference][id] = false
			}
		}
	}
	for plural, found := range wanted {
		ids := make([]uuid.UUID, 0, len(found))
		for id := range found {
			ids = append(ids, id)
		}
		known, err := all.known(ctx, plural, ids)
		if err != nil {
			return err
		}
		for _, id := range known {
			found[id] = true
		}
	}
	for i, in := range inputs {
		var bad []string
		for _, f := range in.Fields() {
			if id, ok := referenceOf(f); ok && !wanted[f.Reference][id] {
				bad = append(bad, f.Name)
			}
		}
		if err := invalidReference(bad); err != nil {
			return &LoadError{i, AsError(err)}
		}
	}
	return nil
}
