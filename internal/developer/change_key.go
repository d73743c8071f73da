package developer

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/ent"
	"records/internal/apikey"
)

// renameKey answers POST /workspaces/:workspace/keys/:key/name.
func (a *Area) renameKey(c *gin.Context) (answer, error) {
	return a.changeKey(c, "The key has its new name.", func(f *keyForm) keyChange {
		name := readName(c, f)
		return func(ctx context.Context, id uuid.UUID) error { return apikey.Rename(ctx, a.Client, id, name) }
	})
}

// setKeyScope answers POST /workspaces/:workspace/keys/:key/scope.
func (a *Area) setKeyScope(c *gin.Context) (answer, error) {
	return a.changeKey(c, "The scope is changed. It holds everywhere within a second.", func(f *keyForm) keyChange {
		scope := readScope(c, f)
		return func(ctx context.Context, id uuid.UUID) error { return apikey.SetScope(ctx, a.Client, id, scope) }
	})
}

// setKeyExpiry answers POST /workspaces/:workspace/keys/:key/expiry.
func (a *Area) setKeyExpiry(c *gin.Context) (answer, error) {
	return a.changeKey(c, "The expiry is changed.", func(f *keyForm) keyChange {
		before := *f
		expires := readExpiry(c, f)
		if before.Expiry == "date" && *f == before {
			return func(context.Context, uuid.UUID) error { return nil } // a day is not when in the day
		}
		return func(ctx context.Context, id uuid.UUID) error { return apikey.SetExpiry(ctx, a.Client, id, expires) }
	})
}

// keyChange changes the key with an id.
type keyChange func(ctx context.Context, id uuid.UUID) error

// changeKey reads one of the forms on a key's page, and does what it asks for. The
// page comes back where the form has a fault.
func (a *Area) changeKey(c *gin.Context, notice string, read func(*keyForm) keyChange) (answer, error) {
	key, err := a.key(c)
	if err != nil {
		return nil, err
	}
	f := formOf(key)
	change := read(&f)
	if f.Faulty() {
		if err := a.developer(c); err != nil {
			return nil, err
		}
		return a.keyPage(c, http.StatusUnprocessableEntity, key, f)
	}
	if err := change(c.Request.Context(), key.ID); err != nil {
		return nil, err
	}
	return a.noticed(c, pathOf(key), notice), nil
}

// pathOf is where the page of a key is.
func pathOf(key *ent.APIKey) string {
	return "/workspaces/" + key.WorkspaceID.String() + "/keys/" + key.ID.String()
}
