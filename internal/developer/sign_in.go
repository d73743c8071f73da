package developer

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"records/ent"
	"records/internal/account"
)

// signInPage is what the form shows.
type signInPage struct {
	Email    string
	Fault    string
	Ended    bool   // they were signed in, and are no longer
	Provider string // of OpenID Connect; "" without one
	Invited  bool   // there is an invitation to come back to
}

// signInForm answers GET /sign-in.
func (a *Area) signInForm(c *gin.Context) (answer, error) {
	if _, ok := a.sessions.User(c.Request.Context()); ok {
		return redirect(a.afterSignIn(c)), nil
	}
	return a.signInPage(c, 0, signInPage{Ended: c.Query("ended") != ""}), nil
}

func (a *Area) signInPage(c *gin.Context, status int, data signInPage) page {
	data.Provider = a.providerName()
	_, data.Invited = a.sessions.Invitation(c.Request.Context())
	return page{status: status, name: "sign_in", title: "Sign in", data: data}
}

// signIn answers POST /sign-in.
func (a *Area) signIn(c *gin.Context) (answer, error) {
	ctx, email := c.Request.Context(), c.PostForm("email")
	on, err := a.onAccount(c, email)
	if err != nil {
		return nil, err
	}
	tries := []try{a.fromHere(c, "address"), on}
	if err := a.attempt(c, tries...); err != nil {
		return nil, err
	}
	u, err := account.SignIn(ctx, a.Client, email, c.PostForm("password"))
	if errors.Is(err, account.ErrRefused) {
		return a.signInPage(c, http.StatusUnprocessableEntity, signInPage{Email: email, Fault: "The email address or the password is wrong."}), nil
	}
	if err != nil {
		return nil, err
	}
	a.forgive(c, tries...)
	a.markBrowser(c, u)
	return redirect(a.afterSignIn(c)), a.sessions.Begin(ctx, u.ID)
}

// afterSignIn is where somebody goes who has just signed in: to what they came for.
func (a *Area) afterSignIn(c *gin.Context) string {
	if _, ok := a.sessions.Invitation(c.Request.Context()); ok {
		return "/join"
	}
	return a.wayBack(c)
}

// browserCookie keeps a browser's mark.
const browserCookie = "records_browser"

// browserLife is how long a browser keeps its mark, in seconds.
const browserLife = 365 * 24 * 60 * 60

// onAccount is an attempt to sign in with an address. In a browser in which that
// user has signed in before it is counted apart: others, who guess, cannot keep
// them out.
func (a *Area) onAccount(c *gin.Context, email string) (try, error) {
	name, ok, err := account.Marked(c.Request.Context(), a.Client, email, a.cookie(c, browserCookie))
	if ok {
		return onAccount("browser "+name, email), nil
	}
	return onAccount("address", email), err
}

// markBrowser marks a browser as one in which a user has signed in.
func (a *Area) markBrowser(c *gin.Context, u *ent.User) {
	if mark := account.Mark(u); mark != "" {
		a.setCookie(c, browserCookie, mark, browserLife)
	}
}
