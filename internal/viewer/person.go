package viewer

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// Role is what a member may do in a workspace, in the developer area. Each may
// do what the one before it may.
type Role string

// The roles, from the least to the most.
const (
	RoleViewer    Role = "viewer"    // sees keys, their use and the members
	RoleDeveloper Role = "developer" // creates and changes keys
	RoleOwner     Role = "owner"     // invites, changes and removes members
)

// Roles are all of them, from the least to the most.
var Roles = []Role{RoleViewer, RoleDeveloper, RoleOwner}

// ParseRole returns the role that s names, or an error that names all there are.
func ParseRole(s string) (Role, error) {
	if r := Role(s); r.rank() > 0 {
		return r, nil
	}
	return "", fmt.Errorf("role must be %q, %q or %q", RoleOwner, RoleDeveloper, RoleViewer)
}

// May reports whether the role may do what another may. No role, and one that
// there is not, may nothing.
func (r Role) May(needed Role) bool { return needed.rank() > 0 && r.rank() >= needed.rank() }

func (r Role) rank() int {
	for i, role := range Roles {
		if role == r {
			return i + 1
		}
	}
	return 0
}

// Person is who is signed in to the developer area. Keys act on records, and
// people on keys: a Person is no Viewer, and opens no record.
type Person struct {
	User      uuid.UUID
	Workspace uuid.UUID // the one that the page is about; zero outside of any
	Role      Role      // of the user in the workspace; "" outside of any
}

// In reports whether the person is asking as a member of a workspace.
func (p Person) In() bool { return p.Workspace != uuid.Nil && p.Role.rank() > 0 }

type personKey struct{}

// NewPersonContext returns a context in which p is asking.
func NewPersonContext(ctx context.Context, p Person) context.Context {
	return context.WithValue(ctx, personKey{}, p)
}

// PersonFromContext returns who is signed in. It reports false where nobody is.
func PersonFromContext(ctx context.Context) (Person, bool) {
	p, ok := ctx.Value(personKey{}).(Person)
	return p, ok && p.User != uuid.Nil
}
