package server

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	entrest "records/ent/rest"
	"records/internal/developer"
	"records/internal/rest"
)

// Base is the path under which the API is served, version marker included.
const Base = "/api/v1"

// routes is the whole service: every route and every middleware, in order.
func (s *Server) routes() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.HandleMethodNotAllowed = true // 405, not 404
	e.RedirectTrailingSlash = false // nothing redirects
	e.UseEscapedPath = true         // paths are matched to the letter
	e.UnescapePathValues = false    // rest decodes the id itself

	e.Use(requestID)
	if s.Trace != nil {
		e.Use(s.traced)
	}
	e.Use(s.account, s.noteTraffic, recoverPanic, cors)
	e.NoRoute(underAPI(s.admit), s.notFound)
	e.NoMethod(underAPI(s.admit), underAPI(requireWrite), s.methodNotAllowed)

	e.GET("/livez", s.live)
	e.HEAD("/livez", s.live)
	e.GET("/readyz", s.ready)
	e.HEAD("/readyz", s.ready)

	s.developer.Routes(e)

	open := e.Group(Base, s.countAddress)
	open.GET("/openapi.json", description)
	open.HEAD("/openapi.json", description)

	api := e.Group(Base, s.admit, requireWrite)
	resources := entrest.Resources(s.Client)
	for _, r := range resources {
		r.Routes(api, resources, rest.Bounds{Begin: s.begin, Hold: s.hold})
	}

	for path, methods := range methodsByPath(e) {
		open.OPTIONS(strings.TrimPrefix(path, Base), options(methods))
	}
	return e
}

// methodsByPath returns the methods of each path of the API.
func methodsByPath(e *gin.Engine) map[string][]string {
	methods := map[string][]string{}
	for _, r := range e.Routes() {
		if isAPI(r.Path) {
			methods[r.Path] = append(methods[r.Path], r.Method)
		}
	}
	return methods
}

// options answers OPTIONS: what may be done here, and to a browser's preflight
// that it may be done from anywhere.
func options(methods []string) gin.HandlerFunc {
	allow := strings.Join(slices.Sorted(slices.Values(append(methods, http.MethodOptions))), ", ")
	return func(c *gin.Context) {
		c.Header("Allow", allow)
		c.Header("Access-Control-Allow-Methods", allow)
		c.Header("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Request-Id")
		c.Header("Access-Control-Max-Age", "86400")
		c.Status(http.StatusNoContent)
	}
}

// description answers GET /openapi.json.
func description(c *gin.Context) {
	if err := rest.NoQuery(c.Request.URL.RawQuery); err != nil {
		rest.Fail(c, err)
		return
	}
	rest.Respond(c, http.StatusOK, entrest.OpenAPI)
}

// notFound answers 404, outside of the API by a page to whom it is readable.
func (s *Server) notFound(c *gin.Context) {
	if s.page(c, s.developer.NotFound) {
		return
	}
	rest.Fail(c, &rest.Error{Status: http.StatusNotFound, Code: rest.CodeNotFound, Message: "There is nothing at this path."})
}

// page answers outside of the API by a page, if that is readable to who asks.
func (s *Server) page(c *gin.Context, answer gin.HandlerFunc) bool {
	if isAPI(c.Request.URL.EscapedPath()) {
		return false
	}
	developer.Secure(c.Writer.Header())
	readable := strings.Contains(c.GetHeader("Accept"), "text/html")
	if readable {
		answer(c)
	}
	return readable
}

// methodNotAllowed answers 405. The router has set Allow.
func (s *Server) methodNotAllowed(c *gin.Context) {
	allow := strings.Split(c.Writer.Header().Get("Allow"), ", ")
	c.Header("Allow", strings.Join(slices.Sorted(slices.Values(allow)), ", "))
	if s.page(c, s.developer.MethodNotAllowed) {
		return
	}
	rest.Fail(c, &rest.Error{Status: http.StatusMethodNotAllowed, Code: rest.CodeMethodNotAllowed, Message: "This path does not take that method; see the Allow header."})
}
