package developer

import "github.com/gin-gonic/gin"

// signOut answers POST /sign-out.
func (a *Area) signOut(c *gin.Context) (answer, error) {
	return redirect("/sign-in"), a.sessions.Destroy(c.Request.Context())
}
