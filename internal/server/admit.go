package server

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"records/internal/apikey"
	"records/internal/rest"
	"records/internal/viewer"
)

// admit decides who may pass, in the order of the product's decisions: the
// address's ceiling, the key, the key's ceiling. It puts the viewer into the
// request's context.
func (s *Server) admit(c *gin.Context) {
	if c.Request.Method == http.MethodOptions { // of a path that does not exist
		s.countAddress(c)
		return
	}
	ctx, ip := c.Request.Context(), clientIP(c.Request, s.TrustedProxies)
	if address := s.ceilings.peekIP(ctx, ip); address.reached {
		s.refuse(c, address, address)
		return
	}
	v, err := s.viewerOf(c)
	if err != nil {
		if s.countAddress(c); !c.IsAborted() {
			rest.Fail(c, err)
		}
		return
	}
	c.Request = c.Request.WithContext(viewer.NewContext(ctx, v))
	key := s.ceilings.countKey(ctx, v.Key.String())
	if key.reached {
		s.refuse(c, key, key, s.ceilings.peekIP(ctx, ip))
		return
	}
	address := s.ceilings.countIP(ctx, ip)
	if address.reached { // by requests that came in since the look above
		s.ceilings.uncountKey(ctx, v.Key.String())
		s.refuse(c, address, key, address)
		return
	}
	writeHeaders(c.Writer.Header(), key, address)
}

// countAddress counts a request that needs no key on its address alone.
func (s *Server) countAddress(c *gin.Context) {
	address := s.ceilings.countIP(c.Request.Context(), clientIP(c.Request, s.TrustedProxies))
	if address.reached {
		s.refuse(c, address, address)
		return
	}
	writeHeaders(c.Writer.Header(), address)
}

// viewerOf authenticates a request. Whatever is wrong with a key, the answer is
// one and the same.
func (s *Server) viewerOf(c *gin.Context) (viewer.Viewer, error) {
	v, err := s.auth.Authenticate(c.Request.Context(), bearer(c.Request.Header))
	if errors.Is(err, apikey.ErrRefused) {
		c.Header("WWW-Authenticate", "Bearer")
		return v, &rest.Error{Status: http.StatusUnauthorized, Code: rest.CodeUnauthorized, Message: "Send a valid API key as Authorization: Bearer <API_KEY>.", Cause: err}
	}
	return v, err
}

// bearer returns the token of the one Authorization header, or "". The case of
// the scheme does not matter (RFC 9110, section 11.1).
func bearer(h http.Header) string {
	given := h.Values("Authorization")
	if len(given) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.Trim(token, " ")
}

// refuse answers 429 for the ceiling that was reached, and tells where the
// caller stands.
func (s *Server) refuse(c *gin.Context, reached stand, all ...stand) {
	writeHeaders(c.Writer.Header(), all...)
	c.Header("Retry-After", strconv.FormatInt(reached.seconds(), 10))
	of := "API key"
	if reached.name == "ip" {
		of = "IP address"
		s.counted.byIP.Add(1)
	} else {
		s.counted.byKey.Add(1)
	}
	rest.Fail(c, &rest.Error{Status: http.StatusTooManyRequests, Code: rest.CodeRateLimited,
		Message: fmt.Sprintf("The ceiling of %d requests per minute for this %s is reached.", reached.limit, of)})
}

// requireWrite answers 403 to a read-only key on POST, PATCH and DELETE. The
// policy of every record denies it too.
func requireWrite(c *gin.Context) {
	switch c.Request.Method {
	case http.MethodPost, http.MethodPatch, http.MethodDelete:
		if v, ok := viewer.FromContext(c.Request.Context()); !ok || v.Scope != viewer.Write {
			rest.Fail(c, &rest.Error{Status: http.StatusForbidden, Code: rest.CodeReadOnlyKey, Message: "This key may only read."})
		}
	}
}
