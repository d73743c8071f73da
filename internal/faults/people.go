package main

const unseenPeople = "it sends keys, and nobody signs in"

var (
	allRoutes = test{"internal/developer", "TestAuthorisation"}
	whatMay   = test{"ent/rule", "TestWhatPeopleMay"}
	readOwn   = test{"ent/rule", "TestPeopleReadTheirOwn"}
)

// people are faults in the developer area.
var people = []fault{
	{
		name:   "people are in every workspace",
		opens:  "Members of one workspace see the keys of all.",
		edits:  []edit{{"ent/rule/person.go", "return func(s *sql.Selector) *sql.Predicate { return sql.EQ(s.C(column), p.Workspace) }", "return func(s *sql.Selector) *sql.Predicate { return sql.NotNull(s.C(column)) }"}},
		by:     []test{readOwn, whatMay},
		unseen: unseenPeople,
	},
	{
		name:   "no role is asked for",
		opens:  "A viewer invites owners.",
		edits:  []edit{{"ent/rule/person.go", "!p.Role.May(needed)", "!p.Role.May(viewer.RoleViewer)"}},
		by:     []test{whatMay, allRoutes},
		unseen: unseenPeople,
	},
	{
		name:   "whoever enters owns",
		opens:  "Every member is an owner.",
		edits:  []edit{{"internal/account/account.go", "viewer.Role(m.Role)", "viewer.Role(m.Role[:0]) + viewer.RoleOwner"}},
		by:     []test{allRoutes},
		unseen: unseenPeople,
	},
	{
		name:   "a page without its guard",
		opens:  "The list of keys asks nobody whether they are a member.",
		edits:  []edit{{"internal/developer/routes.go", "get(keys, a.listKeys, a.signedIn, a.member)", "get(keys, a.listKeys, a.signedIn)"}},
		by:     []test{allRoutes},
		unseen: unseenPeople,
	},
	{
		name:   "forms of other sites are taken",
		opens:  "A page that a member visits revokes their keys.",
		edits:  []edit{{"internal/developer/action.go", "if err := a.origins.Check(c.Request); err != nil {", "if err := a.origins.Check(c.Request); err != nil && c.Request.Method == \"\" {"}},
		by:     []test{{"internal/developer", "TestFormsOfOtherSites"}},
		unseen: unseenPeople,
	},
	{
		name:   "a session keeps its token",
		opens:  "Who planted a session before the sign-in is in it afterwards.",
		edits:  []edit{{"internal/account/session.go", "if err := s.RenewToken(ctx); err != nil {", "if err := ctx.Err(); err != nil {"}},
		by:     []test{{"internal/developer", "TestFixation"}},
		unseen: unseenPeople,
	},
	{
		name:   "an invitation is good twice",
		opens:  "Whoever finds a link that was used comes in too.",
		edits:  []edit{{"internal/account/invitation.go", "invitation.And(invitation.AcceptedAtIsNil(), ", "invitation.And("}},
		by:     []test{{"internal/developer", "TestInvitationsThatAreNoMore"}},
		unseen: unseenPeople,
	},
}
