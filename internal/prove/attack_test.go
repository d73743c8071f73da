package prove

import (
	"net/http"
	"slices"
	"strings"

	"records/internal/hostile"
	"records/internal/rest"
)

// nowhere is a request to a path that is none, with the id of a record in it.
func (k *worker) nowhere(s *space, r resource) *ask {
	id, plural := k.foreign(r.spec.Plural), r.spec.Plural
	paths := []string{
		"", "//" + plural, "/" + plural + "//" + id, "/" + plural + "/" + id + "/" + plural, "/" + strings.ToUpper(plural) + "/" + id,
		"/" + plural + "/x/../" + id, "/%2e%2e/" + plural, "/" + plural + "%2f" + id, "/.env",
	}
	for _, name := range []string{"workspaces", "keys", "api_keys", "counts", "record_counts", "admin"} {
		if !slices.ContainsFunc(k.all, func(r resource) bool { return r.spec.Plural == name }) {
			paths = append(paths, "/"+name, "/"+name+"/"+k.other().id.String(), "/"+name+"/"+k.other().main.id.String(), "/"+name+"/"+plural)
		}
	}
	path := pick(k, paths)
	a := k.by(s, pick(k, []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodPut}), path, nil)
	a.nowhere = true
	a.verdict = func() refusal { return refusal{http.StatusNotFound, rest.CodeNotFound, "path"} }
	return a
}

// withoutKey makes of a request one whose key opens nothing.
func (k *worker) withoutKey(a *ask) {
	good, theirs := a.space.main.token, k.other().main
	a.key, a.settle = nil, nil
	a.token = pick(k, []string{
		"", good[:39] + "!", good + "0", strings.ToLower(good), theirs.id.String(), theirs.token[:12],
		hostile.Token(strings.Repeat("7", 30)), hostile.Token(theirs.token[4:33] + "!"),
	})
	if k.IntN(4) == 0 { // two of them are none
		a.token, a.headers = good, append(a.headers, "Authorization", "Bearer "+theirs.token)
	}
}
