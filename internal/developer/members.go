package developer

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"records/ent"
	"records/ent/invitation"
	"records/ent/member"
	"records/internal/account"
	"records/internal/viewer"
)

// membersPage is what the members of a workspace see of one another.
type membersPage struct {
	Members     []*ent.Member
	Invitations []*ent.Invitation // open ones; for owners
	Roles       []viewer.Role
	Email       string // of the form, as the next two
	Role        viewer.Role
	Faults      map[string]string
}

// listMembers answers GET /workspaces/:workspace/members.
func (a *Area) listMembers(c *gin.Context) (answer, error) {
	return a.membersPage(c, 0, membersPage{Role: viewer.RoleDeveloper})
}

func (a *Area) membersPage(c *gin.Context, status int, data membersPage) (answer, error) {
	ctx := c.Request.Context()
	p, _ := viewer.PersonFromContext(ctx)
	var err error
	if data.Members, err = a.Client.Member.Query().WithUser().Order(ent.Asc(member.FieldID)).All(ctx); err != nil {
		return nil, err
	}
	if p.Role.May(viewer.RoleOwner) {
		data.Invitations, err = a.Client.Invitation.Query().Where(account.Open()).WithUser().Order(ent.Desc(invitation.FieldID)).All(ctx)
	}
	data.Roles = viewer.Roles
	return page{status: status, name: "members", title: "Members", data: data}, err
}

// setMemberRole answers POST /workspaces/:workspace/members/:member/role.
func (a *Area) setMemberRole(c *gin.Context) (answer, error) {
	id, err := idOf(c, "member")
	if err != nil {
		return nil, err
	}
	role, err := viewer.ParseRole(c.PostForm("role"))
	if err != nil {
		return nil, &failure{http.StatusUnprocessableEntity, "The role must be owner, developer or viewer.", err}
	}
	if err := account.SetRole(c.Request.Context(), a.Client, id, role); err != nil {
		return nil, orLastOwner(err)
	}
	return a.noticed(c, inWorkspace(c, "/members"), "The role is changed."), nil
}

// removeMember answers POST /workspaces/:workspace/members/:member/remove. Everybody
// may leave.
func (a *Area) removeMember(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	id, err := idOf(c, "member")
	if err != nil {
		return nil, err
	}
	workspace, err := idOf(c, "workspace")
	if err != nil {
		return nil, err
	}
	if err := account.RemoveMember(ctx, a.Client, id); err != nil {
		return nil, orLastOwner(err)
	}
	if _, err := account.Enter(ctx, a.Client, workspace); errors.Is(err, account.ErrNoMember) {
		return a.noticed(c, "/", "You have left the workspace."), nil
	}
	return a.noticed(c, inWorkspace(c, "/members"), "The member is removed."), nil
}

func orLastOwner(err error) error {
	if errors.Is(err, account.ErrLastOwner) {
		return &failure{http.StatusConflict, "A workspace keeps at least one owner. Make somebody else an owner first.", err}
	}
	return err
}
