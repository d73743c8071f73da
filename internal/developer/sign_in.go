package developer

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"records/internal/account"
)

// signInPage is what the form shows.
type signInPage struct {
	Email string
	Fault string
}

// signInForm answers GET /sign-in.
func (a *Area) signInForm(c *gin.Context) (answer, error) {
	if _, ok := a.sessions.User(c.Request.Context()); ok {
		return redirect("/"), nil
	}
	return page{name: "sign_in", title: "Sign in", data: signInPage{}}, nil
}

// signIn answers POST /sign-in.
func (a *Area) signIn(c *gin.Context) (answer, error) {
	ctx, email := c.Request.Context(), c.PostForm("email")
	u, err := account.SignIn(ctx, a.Client, email, c.PostForm("password"))
	if errors.Is(err, account.ErrRefused) {
		return page{status: http.StatusUnprocessableEntity, name: "sign_in", title: "Sign in",
			data: signInPage{Email: email, Fault: "The email address or the password is wrong."}}, nil
	}
	if err != nil {
		return nil, err
	}
	return redirect("/"), a.sessions.Begin(ctx, u.ID)
}
