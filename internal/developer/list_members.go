package developer

import (
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
