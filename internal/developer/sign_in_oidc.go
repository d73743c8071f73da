package developer

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"records/ent"
	"records/internal/account"
	"records/internal/identity"
)

// IdentityPath is where the identity provider sends people back to.
const IdentityPath = "/sign-in/oidc/callback"

// flowKey names the sign-in with the provider that goes on, among a session's values.
const flowKey = "identity"

// providerName is what people call the identity provider, "" if there is none.
func (a *Area) providerName() string {
	if a.Identity == nil {
		return ""
	}
	return a.Identity.Name
}

// signInOIDC answers GET /sign-in/oidc: the way to the identity provider. It is a
// link and no form: the policy would hold a form's redirect to this site.
func (a *Area) signInOIDC(c *gin.Context) (answer, error) {
	if a.Identity == nil {
		return nil, &failure{status: http.StatusNotFound, message: "There is no page at this address."}
	}
	if err := a.attempt(c, a.fromHere(c, "provider")); err != nil {
		return nil, err
	}
	var to string
	var flow identity.Flow
	var err error
	a.elsewhere(c, func() { to, flow, err = a.Identity.Begin(c.Request.Context()) })
	if err != nil {
		return nil, a.identityFailure(err)
	}
	kept, err := json.Marshal(flow)
	if err != nil {
		return nil, err
	}
	a.sessions.Put(c.Request.Context(), flowKey, string(kept))
	return redirect(to), nil
}

// signInOIDCCallback answers GET /sign-in/oidc/callback: the way back.
func (a *Area) signInOIDCCallback(c *gin.Context) (answer, error) {
	if a.Identity == nil {
		return nil, &failure{status: http.StatusNotFound, message: "There is no page at this address."}
	}
	if err := a.attempt(c, a.fromHere(c, "provider")); err != nil {
		return nil, err
	}
	ctx := c.Request.Context()
	var flow identity.Flow
	_ = json.Unmarshal([]byte(a.sessions.PopString(ctx, flowKey)), &flow) // none: no state will match
	if err := a.keepSession(c); err != nil {                              // good for one attempt, whatever comes of it
		return nil, err
	}
	var who account.Identity
	var err error
	a.elsewhere(c, func() { who, err = a.Identity.End(ctx, flow, c.Request.URL.Query()) })
	if err != nil {
		return nil, a.identityFailure(err)
	}
	u, linked, err := account.SignInBy(ctx, a.Client, who)
	if errors.Is(err, account.ErrUnknown) {
		u, err = a.joinBy(c, who)
	}
	if err != nil {
		return nil, a.identityFailure(err)
	}
	if err := a.sessions.Begin(ctx, u.ID); err != nil {
		return nil, err
	}
	if linked {
		return a.noticed(c, a.afterSignIn(c), "From now on you sign in with "+a.Identity.Name+". Your password and your other sessions have ended; you can choose a new password in your account."), nil
	}
	return redirect(a.afterSignIn(c)), nil
}

// joinBy makes a new user of who came with an invitation.
func (a *Area) joinBy(c *gin.Context, who account.Identity) (*ent.User, error) {
	ctx := c.Request.Context()
	invitation, ok := a.sessions.Invitation(ctx)
	if !ok {
		return nil, account.ErrUnknown
	}
	u, err := account.AcceptBy(ctx, a.Client, invitation, who)
	if err == nil {
		a.sessions.ForgetInvitation(ctx)
	}
	return u, err
}

// identityFailure says why somebody is not signed in. It logs what the page does not
// say, for it is the operator who can help.
func (a *Area) identityFailure(err error) error {
	f := &failure{status: http.StatusForbidden, cause: err}
	switch name := a.Identity.Name; {
	case errors.Is(err, identity.ErrUnavailable):
		f.status, f.message = http.StatusServiceUnavailable, name+" cannot be reached. Try again shortly, or sign in with your password."
	case errors.Is(err, identity.ErrRefused):
		f.message = "The answer of " + name + " did not sign you in. It may have come too late, or belong to a sign-in in another window. Start again."
	case errors.Is(err, account.ErrUnverified):
		f.message = name + " does not confirm that your email address is yours. Confirm it there, and sign in again."
	case errors.Is(err, account.ErrUnknown), errors.Is(err, account.ErrAddressTaken):
		f.message = "You are known to " + name + ", but not here. Ask an owner of your workspace for an invitation, and open its link before you sign in."
	case errors.Is(err, account.ErrOtherAddress):
		f.message = "The invitation is for another email address than the one that " + name + " knows you by."
	case errors.Is(err, account.ErrNoInvitation):
		return noInvitation
	default:
		return err
	}
	if f.status != http.StatusServiceUnavailable { // which goes into the request's own line
		a.Log.Warn("nobody was signed in by the identity provider", "error", err.Error())
	}
	return f
}
