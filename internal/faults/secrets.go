package main

// spoken are faults by which secrets get into what others may read.
var spoken = []fault{
	{
		name:   "a setting's error that shows the setting",
		opens:  "The database's password stands in the log of whatever starts the program.",
		edits:  []edit{{"config/urls.go", "u.Opaque != \"\" {\n\t\treturn \"\", errDatabaseURL", "u.Opaque != \"\" {\n\t\treturn \"\", errors.New(text)"}},
		by:     []test{{"cmd/records", "TestSecretsStayInside"}, {"config", "TestFaultyValues"}},
		unseen: "it starts no program",
	},
	{
		name:   "the identity provider's answer in the log",
		opens:  "What a provider repeats of our request, the client's secret too, can be read in the log.",
		edits:  []edit{{"internal/identity/identity.go", "ErrUnavailable, refused.Response.Status)", "ErrUnavailable, err)"}},
		by:     []test{{"cmd/records", "TestSecretsStayInside"}},
		unseen: "nobody signs in in it",
	},
	{
		name:   "the client's secret follows a redirect",
		opens:  "Whom the identity provider names in a redirect is sent our secret, or somebody's token.",
		edits:  []edit{{"internal/identity/ask.go", "answer.Header.Del(\"Location\")", "_ = answer.Header"}},
		by:     []test{{"internal/identity", "TestSecretsFollowNoRedirect"}},
		unseen: "nobody signs in in it",
	},
}
