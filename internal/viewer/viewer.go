// Package viewer says who is asking. The HTTP layer puts a Viewer into the
// request's context once, after it has checked the key; the rules in ent/rule
// read it at every query and every mutation.
package viewer

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// Scope is what a key may do. A key has exactly one (API document, part 5).
type Scope string

// The two scopes a key can have.
const (
	Read  Scope = "read"
	Write Scope = "write"
)

// ParseScope returns the scope that s names, or an error that names the two
// there are.
func ParseScope(s string) (Scope, error) {
	switch scope := Scope(s); scope {
	case Read, Write:
		return scope, nil
	default:
		return "", fmt.Errorf("scope must be %q or %q", Read, Write)
	}
}

// Viewer is one caller: the workspace that its key fixes, the key itself and
// the key's scope. Key is the zero UUID where an operator's command acts for a
// workspace (import, seed).
type Viewer struct {
	Workspace uuid.UUID
	Key       uuid.UUID
	Scope     Scope
}

type contextKey struct{}

// NewContext returns a context in which v is asking.
func NewContext(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, contextKey{}, v)
}

// FromContext returns who is asking. It reports false where nobody is, or
// where the viewer has no workspace; rules deny both.
func FromContext(ctx context.Context) (Viewer, bool) {
	v, ok := ctx.Value(contextKey{}).(Viewer)
	return v, ok && v.Workspace != uuid.Nil
}
