package developer

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/user"
	"records/internal/account"
	"records/internal/viewer"
)

// joinPage is what an invitation shows.
type joinPage struct {
	Invitation *ent.Invitation
	Self       *ent.User // who is signed in, nil if nobody is
	Provider   string    // of OpenID Connect; "" without one
	Email      string    // of the form, as the next two
	Name       string
	Faults     map[string]string
	Fault      string // of the whole
}

// joinForm answers GET /join: the invitation that was opened in this browser.
func (a *Area) joinForm(c *gin.Context) (answer, error) {
	data, err := a.invited(c)
	if err != nil {
		return nil, err
	}
	if data.Self != nil && data.Invitation.Email != nil && *data.Invitation.Email != data.Self.Email {
		data.Fault = "This invitation is for " + *data.Invitation.Email + ". Sign out, and open its link again."
	}
	return data.page(0), nil
}

// join answers POST /join: who is signed in becomes a member, and who is not a user
// first.
func (a *Area) join(c *gin.Context) (answer, error) {
	data, err := a.invited(c)
	if err != nil {
		return nil, err
	}
	if data.Self == nil {
		return a.joinAsNew(c, data)
	}
	switch err := account.Accept(c.Request.Context(), a.Client, data.Invitation.ID, data.Self.ID); {
	case errors.Is(err, account.ErrOtherAddress):
		data.Fault = "This invitation is for another email address."
		return data.page(http.StatusUnprocessableEntity), nil
	case errors.Is(err, account.ErrMember):
		return a.joined(c, data.Invitation, "You are a member of "+data.Invitation.Edges.Workspace.Name+" already."), nil
	case err != nil:
		return nil, orGone(err)
	}
	return a.joined(c, data.Invitation, "You are now a member of "+data.Invitation.Edges.Workspace.Name+"."), nil
}

func (a *Area) joinAsNew(c *gin.Context, data joinPage) (answer, error) {
	ctx, here := c.Request.Context(), a.fromHere(c, "address")
	if err := a.attempt(c, here); err != nil { // it could be used to ask who has an account
		return nil, err
	}
	data.Email, data.Name = c.PostForm("email"), c.PostForm("name")
	if data.Invitation.Email != nil {
		data.Email = *data.Invitation.Email
	}
	n := account.NewUser{Email: data.Email, Name: data.Name, Password: c.PostForm("password")}
	if data.Faults = n.Faults(); len(data.Faults) > 0 {
		return data.page(http.StatusUnprocessableEntity), nil
	}
	u, err := account.AcceptAsNew(ctx, a.Client, data.Invitation.ID, n)
	if errors.Is(err, account.ErrAddressTaken) {
		data.Faults = map[string]string{"email": "belongs to an account already; sign in with it to join"}
		return data.page(http.StatusUnprocessableEntity), nil
	}
	if err != nil {
		return nil, orGone(err)
	}
	a.forgive(c, here)
	a.markBrowser(c, u)
	if err := a.sessions.Begin(ctx, u.ID); err != nil {
		return nil, err
	}
	return a.joined(c, data.Invitation, "Welcome. You are now a member of "+data.Invitation.Edges.Workspace.Name+"."), nil
}

// joined leads into the workspace.
func (a *Area) joined(c *gin.Context, i *ent.Invitation, notice string) answer {
	a.sessions.ForgetInvitation(c.Request.Context())
	return a.noticed(c, "/workspaces/"+i.WorkspaceID.String()+"/keys", notice)
}

// invited is the invitation that the session keeps, and who is signed in.
func (a *Area) invited(c *gin.Context) (joinPage, error) {
	data := joinPage{Provider: a.providerName()}
	ctx := c.Request.Context()
	id, _ := a.sessions.Invitation(ctx)
	var err error
	if _, noCookie := c.Request.Cookie(a.sessions.Cookie.Name); noCookie != nil {
		return data, errNoCookie
	}
	if data.Invitation, err = account.InvitationOf(ctx, a.Client, id); err != nil {
		return data, orGone(err)
	}
	self, ok := a.sessions.User(ctx)
	if !ok {
		return data, nil
	}
	c.Request = c.Request.WithContext(viewer.NewPersonContext(ctx, viewer.Person{User: self}))
	data.Self, err = a.self(c, self)
	return data, err
}

func (a *Area) self(c *gin.Context, id uuid.UUID) (*ent.User, error) {
	return a.Client.User.Query().Where(user.ID(id)).Only(c.Request.Context())
}

func (p joinPage) page(status int) page {
	return page{status: status, name: "join", title: "Join " + p.Invitation.Edges.Workspace.Name, data: p}
}

// errNoCookie is for a browser that did not keep the cookie by which the link was
// remembered: it keeps it over TLS alone, and from the machine that it runs on.
var errNoCookie = &failure{status: http.StatusGone, message: "This invitation is no longer good, or your browser did not keep our cookie: open the link again, by https:// if the server is another machine."}

// orGone answers an invitation that is no longer good with the page for that.
func orGone(err error) error {
	if errors.Is(err, account.ErrNoInvitation) {
		return noInvitation
	}
	return err
}
