package developer

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/ent"
	entkey "records/ent/apikey"
	"records/ent/predicate"
	"records/internal/apikey"
	"records/internal/scalar"
	"records/internal/viewer"
)

// newKey answers GET /workspaces/:workspace/keys/new. The form has a random id, so
// that one that is sent again makes no second key.
func (a *Area) newKey(*gin.Context) (answer, error) {
	return newKeyPage(0, keyForm{Form: uuid.NewString(), Scope: string(viewer.Read), Expiry: "90"}), nil
}

func newKeyPage(status int, f keyForm) page {
	return page{status: status, name: "key_new", title: "New API key", data: f}
}

// createKey answers POST /workspaces/:workspace/keys/new by the token, this once.
func (a *Area) createKey(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	form, err := scalar.ParseUUID(c.PostForm("form"))
	if err != nil {
		return nil, &failure{http.StatusBadRequest, "The form was not sent whole. Open it again.", err}
	}
	f := keyForm{Form: form.String()}
	person, _ := viewer.PersonFromContext(ctx)
	request := apikey.Request{Workspace: person.Workspace, Name: readName(c, &f), Scope: readScope(c, &f), Expires: readExpiry(c, &f), Form: &form}
	if f.Faulty() {
		return newKeyPage(http.StatusUnprocessableEntity, f), a.developer(c)
	}
	key, token, err := apikey.Create(ctx, a.Client, request)
	if errors.Is(err, apikey.ErrMade) {
		return a.madeBefore(c, entkey.FormID(form))
	}
	if err != nil {
		return nil, err
	}
	return a.madePage(key, token), nil
}

// madePage shows a token, this once: the page is the answer to the form, and kept
// nowhere.
func (a *Area) madePage(key *ent.APIKey, token string) page {
	return page{name: "key_made", title: "Copy your new key", data: map[string]any{
		"Key": key, "Token": token, "URL": a.URL + a.API + "/tasks?limit=2",
	}}
}

// madeBefore answers a form that was sent again, after it has made a key.
func (a *Area) madeBefore(c *gin.Context, which predicate.APIKey) (answer, error) {
	key, err := a.Client.APIKey.Query().Where(which).Only(c.Request.Context())
	if err != nil {
		return nil, err
	}
	return page{status: http.StatusConflict, name: "key_made_before", title: "This key was made before", data: key}, nil
}
