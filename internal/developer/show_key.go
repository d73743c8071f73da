package developer

import (
	"time"

	"github.com/gin-gonic/gin"

	"records/ent"
	entkey "records/ent/apikey"
	"records/ent/auditevent"
	"records/ent/predicate"
	"records/internal/apikey"
)

// keyPage is all that is known of a key, with the forms to change it.
type keyPage struct {
	Key         *ent.APIKey
	Predecessor *ent.APIKey // that it took the place of
	Successor   *ent.APIKey // that took its place
	Events      []*ent.AuditEvent
	Form        keyForm
	Traffic     trafficPart
}

// Open reports whether the key can be changed.
func (p keyPage) Open() bool { return !apikey.StateOf(p.Key, time.Now()).Ended() }

// showKey answers GET /workspaces/:workspace/keys/:key.
func (a *Area) showKey(c *gin.Context) (answer, error) {
	key, err := a.key(c)
	if err != nil {
		return nil, err
	}
	return a.keyPage(c, 0, key, formOf(key))
}

// key finds the key that the path names.
func (a *Area) key(c *gin.Context) (*ent.APIKey, error) {
	return a.Client.APIKey.Query().Where(entkey.ID(idOf(c, "key"))).WithCreator().Only(c.Request.Context())
}

func formOf(key *ent.APIKey) keyForm {
	f := keyForm{Name: key.Name, Scope: key.Scope, Expiry: "never"}
	if key.ExpiresAt != nil {
		f.Expiry, f.Date = "date", key.ExpiresAt.UTC().Format(time.DateOnly)
	}
	return f
}

func (a *Area) keyPage(c *gin.Context, status int, key *ent.APIKey, f keyForm) (answer, error) {
	ctx, shown := c.Request.Context(), keyPage{Key: key, Form: f}
	related := []predicate.APIKey{entkey.Replaces(key.ID)}
	if key.Replaces != nil {
		related = append(related, entkey.ID(*key.Replaces))
	}
	others, err := a.Client.APIKey.Query().Where(entkey.Or(related...)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		if other.Replaces != nil && *other.Replaces == key.ID {
			shown.Successor = other
		} else {
			shown.Predecessor = other
		}
	}
	shown.Events, err = a.Client.AuditEvent.Query().Where(auditevent.KeyID(key.ID)).
		WithUser().WithKey().Order(ent.Desc(auditevent.FieldID)).Limit(pageSize).All(ctx)
	if err != nil {
		return nil, err
	}
	if shown.Traffic, err = a.trafficOf(ctx, &key.ID, time.Now()); err != nil {
		return nil, err
	}
	return page{status: status, name: "key", title: key.Name, data: shown}, nil
}
