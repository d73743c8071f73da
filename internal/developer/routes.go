package developer

import "github.com/gin-gonic/gin"

// Routes adds every page and every action of the area, with what each asks for
// before it runs.
func (a *Area) Routes(e *gin.Engine) {
	get := func(path string, action action, guards ...guard) {
		e.GET(path, a.handle(action, guards...))
		e.HEAD(path, a.handle(action, guards...))
	}
	post := func(path string, action action, guards ...guard) {
		e.POST(path, a.handle(action, guards...))
	}

	e.GET("/assets/:name", a.asset)
	e.HEAD("/assets/:name", a.asset)

	get("/", a.home, a.signedIn)
	get("/sign-in", a.signInForm)
	post("/sign-in", a.signIn)
	post("/sign-out", a.signOut)
	get("/reference", a.reference, a.perhapsSignedIn)
	get("/quickstart", a.quickstart, a.perhapsSignedIn)

	get("/workspaces/:workspace/keys", a.listKeys, a.signedIn, a.member)
	get("/workspaces/:workspace/use", a.use, a.signedIn, a.member)
}
