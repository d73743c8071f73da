package developer

import (
	"github.com/gin-gonic/gin"

	"records/internal/account"
)

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
	get("/sign-in/oidc", a.signInOIDC)
	get(IdentityPath, a.signInOIDCCallback)
	get(account.InvitationPath+":token", a.openInvitation)
	get("/join", a.joinForm)
	post("/join", a.join)

	get("/account", a.showAccount, a.signedIn)
	post("/account/password", a.changePassword, a.signedIn)
	post("/account/sessions/:id/end", a.endSession, a.signedIn)
	post("/account/sessions/end-others", a.endOtherSessions, a.signedIn)

	const keys, key = "/workspaces/:workspace/keys", "/workspaces/:workspace/keys/:key"
	get(keys, a.listKeys, a.signedIn, a.member)
	get(keys+"/new", a.newKey, a.signedIn, a.member, a.developer)
	post(keys+"/new", a.createKey, a.signedIn, a.member)
	get(key, a.showKey, a.signedIn, a.member)
	post(key+"/name", a.renameKey, a.signedIn, a.member)
	post(key+"/scope", a.setKeyScope, a.signedIn, a.member)
	post(key+"/expiry", a.setKeyExpiry, a.signedIn, a.member)
	get(key+"/rotate", a.rotateKeyForm, a.signedIn, a.member, a.developer)
	post(key+"/rotate", a.rotateKey, a.signedIn, a.member)
	get(key+"/revoke", a.revokeKeyForm, a.signedIn, a.member, a.developer)
	post(key+"/revoke", a.revokeKey, a.signedIn, a.member)

	get("/workspaces/:workspace/activity", a.listActivity, a.signedIn, a.member)

	get("/workspaces/:workspace/members", a.listMembers, a.signedIn, a.member)
	post("/workspaces/:workspace/members/:member/role", a.setMemberRole, a.signedIn, a.member)
	post("/workspaces/:workspace/members/:member/remove", a.removeMember, a.signedIn, a.member)
	post("/workspaces/:workspace/invitations", a.invite, a.signedIn, a.member)
	post("/workspaces/:workspace/invitations/:invitation/revoke", a.revokeInvitation, a.signedIn, a.member)

	get("/workspaces/:workspace/use", a.use, a.signedIn, a.member)
}
