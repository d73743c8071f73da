package server

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// isAPI reports whether a path, as it was sent, is the API's.
func isAPI(path string) bool { return path == Base || strings.HasPrefix(path, Base+"/") }

// underAPI runs a middleware only for paths of the API: outside of it there
// are no keys and no ceilings.
func underAPI(h gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		if isAPI(c.Request.URL.EscapedPath()) {
			h(c)
		}
	}
}

// trimSlash serves a path with a single trailing slash as if it were not
// there. Paths are otherwise matched to the letter, as they were sent.
func trimSlash(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := r.URL.EscapedPath(); len(p) > 1 && strings.HasSuffix(p, "/") && !strings.HasSuffix(p, "//") {
			u := *r.URL
			u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.RawPath, "/")
			trimmed := *r
			trimmed.URL = &u
			r = &trimmed
		}
		next.ServeHTTP(w, r)
	})
}
