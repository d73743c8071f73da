package developer

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"records/internal/account"
)

// cookie returns what a cookie of ours holds, "" for none.
func (a *Area) cookie(c *gin.Context, name string) string {
	cookie, _ := c.Request.Cookie(account.CookieName(name, a.overTLS()))
	if cookie == nil {
		return ""
	}
	return cookie.Value
}

// setCookie keeps a value in the browser for life seconds; below 0 it forgets it. No
// script reads it, and no other site sends it with a form.
func (a *Area) setCookie(c *gin.Context, name, value string, life int) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: account.CookieName(name, a.overTLS()), Value: value, Path: "/", MaxAge: life,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
