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
	Pager       pager             // of the members
	Invitations []*ent.Invitation // open ones, the newest; for owners
	More        bool              // invitations that are not shown
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
	total, err := a.Client.Member.Query().Count(ctx)
	if err != nil {
		return nil, err
	}
	if data.Pager, err = pagerOf(c, total); err != nil {
		return nil, err
	}
	data.Members, err = a.Client.Member.Query().WithUser().Order(ent.Asc(member.FieldID)).Offset(data.Pager.offset()).Limit(pageSize).All(ctx)
	if err != nil {
		return nil, err
	}
	if p.Role.May(viewer.RoleOwner) {
		data.Invitations, err = a.Client.Invitation.Query().Where(account.Open()).WithUser().Order(ent.Desc(invitation.FieldID)).Limit(pageSize + 1).All(ctx)
		data.Invitations, data.More = firstPage(data.Invitations)
	}
	data.Roles = viewer.Roles
	return page{status: status, name: "members", title: "Members", data: data}, err
}
