package rest

import (
	"context"
	"fmt"
	"reflect"

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
		return nil, r.spec.ruled(err)
	}
	return r.calls.Append(make([]byte, 0, recordRoom), record), nil
}

// Body is one that was read by the rules of POST, and not yet created.
type Body struct {
	input      Input
	references []named
}

// named is a reference that a body gives.
type named struct {
	field, plural string
	id            uuid.UUID
}

// Reader returns what reads bodies by the rules of create, all but the references.
// The fields are bound to one input, which is copied: to bind them anew would take
// as long as the rest of the reading.
func (r resource[T, I]) Reader() func(body []byte) (Body, error) {
	in := r.calls.NewInput()
	fields, held := in.Fields(), reflect.ValueOf(in).Elem()
	return func(body []byte) (Body, error) {
		held.SetZero()
		if _, err := decode(body, fields, true); err != nil {
			return Body{}, err
		}
		own := reflect.New(held.Type())
		own.Elem().Set(held)
		b := Body{input: own.Interface().(Input)}
		for i := range fields {
			if id, ok := referenceOf(&fields[i]); ok {
				b.references = append(b.references, named{fields[i].Name, fields[i].Reference, id})
			}
		}
		return b, nil
	}
}

// Load creates a record from each body, by the rules of create. The first whose
// references are bad fails the batch with a LoadError; call it in a transaction, so
// that nothing of it stays.
func (r resource[T, I]) Load(ctx context.Context, all Resources, bodies []Body) error {
	if err := checkBatch(ctx, all, bodies); err != nil {
		return err
	}
	inputs := make([]I, len(bodies))
	for i, b := range bodies {
		inputs[i] = b.input.(I)
	}
	return r.spec.ruled(r.calls.CreateBulk(ctx, inputs))
}

// checkBatch looks the references of a batch up, one query for each resource
// they refer to, and names the first body whose references are bad.
func checkBatch(ctx context.Context, all Resources, bodies []Body) error {
	wanted := map[string]map[uuid.UUID]bool{}
	for _, b := range bodies {
		for _, r := range b.references {
			if wanted[r.plural] == nil {
				wanted[r.plural] = map[uuid.UUID]bool{}
			}
			wanted[r.plural][r.id] = false
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
	for i, b := range bodies {
		var bad []string
		for _, r := range b.references {
			if !wanted[r.plural][r.id] {
				bad = append(bad, r.field)
			}
		}
		if err := invalidReference(bad); err != nil {
			return &LoadError{i, AsError(err)}
		}
	}
	return nil
}
