package developer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// try is an attempt that is counted, until it has succeeded.
type try struct{ kind, id string }

// attempt counts attempts, and fails where one of them is one too many.
func (a *Area) attempt(c *gin.Context, tries ...try) error {
	for _, t := range tries {
		if wait, ok := a.Attempt(c.Request.Context(), t.kind, t.id); !ok {
			c.Header("Retry-After", strconv.FormatInt(int64(wait/time.Second), 10))
			return &failure{status: http.StatusTooManyRequests, message: fmt.Sprintf("There were too many attempts. Try again in %s.", inWords(wait))}
		}
	}
	return nil
}

// forgive takes attempts back that were no guesses.
func (a *Area) forgive(c *gin.Context, tries ...try) {
	for _, t := range tries {
		a.Forgive(c.Request.Context(), t.kind, t.id)
	}
}

// fromHere is an attempt of the address that a request comes from.
func (a *Area) fromHere(c *gin.Context, kind string) try {
	_, counted := a.Address(c.Request)
	return try{kind, counted}
}

// onAccount is an attempt to sign in as somebody. The id is no secret, but it does
// not belong in another database either.
func onAccount(what, id string) try {
	sum := sha256.Sum256([]byte(what + " " + strings.ToLower(strings.TrimSpace(id))))
	return try{"account", hex.EncodeToString(sum[:16])}
}

func inWords(wait time.Duration) string {
	if minutes := int((wait + time.Minute - 1) / time.Minute); minutes > 1 {
		return fmt.Sprintf("%d minutes", minutes)
	}
	return "a minute"
}
