package prove

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"records/internal/rest"
	"records/internal/viewer"
)

// ask is one request, and what the model says of its answer at the moment when it
// is read: those before it on the connection have had their effect by then.
type ask struct {
	space        *space
	key          *key   // nil: the request must be refused for its key
	token        string // of the Authorization header; "" is none
	method, path string
	body         []byte
	headers      []string // in pairs
	nowhere      bool     // leads to no route, which comes before the scope

	verdict func() refusal                 // of a key that may
	done    func(got answer) error         // what must be so where nothing is refused
	settle  func(allowed bool) (err error) // finds out whether an abandoned write took effect
}

// refusal is how a request must fail: with the same answer to the byte as all
// others of its kind. The zero refusal is none.
type refusal struct {
	status int
	code   string
	kind   string
}

// refusal is what the key and the model say of the request.
func (a *ask) refusal() refusal {
	switch {
	case a.key == nil || a.key.revoked:
		return refusal{http.StatusUnauthorized, rest.CodeUnauthorized, ""}
	case a.key.scope == viewer.Read && a.writes() && !a.nowhere:
		return refusal{http.StatusForbidden, rest.CodeReadOnlyKey, ""}
	}
	return a.verdict()
}

func (a *ask) writes() bool {
	return a.method == http.MethodPost || a.method == http.MethodPatch || a.method == http.MethodDelete
}

// String is short, for the list of what a worker did last.
func (a *ask) String() string {
	who := "a refused key"
	if a.key != nil {
		who = fmt.Sprintf("key %d (%s, revoked %t)", a.key.number, a.key.scope, a.key.revoked)
	}
	return fmt.Sprintf("%s, %s: %s %s %v %.300s", a.space.canary, who, a.method, a.path, a.headers, a.body)
}

// judge holds an answer against what must be.
func (w *world) judge(a *ask, got answer) error {
	w.watch.count(fmt.Sprint(a.method, " ", got.status))
	if got.packed {
		w.watch.count("compressed")
	}
	err := w.watch.leak(a.space, strings.ToLower(a.path+string(a.body)+strings.Join(a.headers, " ")), got.text())
	if err == nil {
		if r := a.refusal(); r.status != 0 {
			err = w.refused(a, got, r)
		} else {
			err = a.done(got)
		}
	}
	if err != nil {
		return fmt.Errorf("%s\nanswered %d %.1500s\n%w", a, got.status, got.text(), err)
	}
	return nil
}

// refused returns an error unless an answer is the failure that it must be, and
// like all others of its kind.
func (w *world) refused(a *ask, got answer, r refusal) error {
	head := a.method == http.MethodHead
	begins := fmt.Appendf(nil, `{"error":"%s","message":"`, r.code)
	if got.status != r.status || !head && !bytes.HasPrefix(got.body, begins) {
		return fmt.Errorf("want %d %s", r.status, r.code)
	}
	plain := answer{header: got.header.Clone(), body: got.body}
	plain.header.Del("Date")
	plain.header.Del("X-Request-Id")
	if r.status != http.StatusMethodNotAllowed { // the router says it earlier than it would have to
		plain.header.Del("Allow")
	}
	return w.watch.alike(fmt.Sprintf("%d %s %s head %t", r.status, r.code, r.kind, head), plain.text())
}

// exactly returns an error unless an answer has the status and the body.
func exactly(a *ask, got answer, status int, want []byte) error {
	if got.status != status || got.header.Get("Content-Type") != "application/json" {
		return fmt.Errorf("want %d", status)
	}
	if a.method != http.MethodHead {
		if !bytes.Equal(got.body, want) {
			return fmt.Errorf("want the body %.1500s", want)
		}
		return nil
	}
	if len(got.body) > 0 || !got.packed && got.header.Get("Content-Length") != strconv.Itoa(len(want)) {
		return fmt.Errorf("want the headers for %d bytes, and no body", len(want))
	}
	return nil
}

// settled is how long after a change of a key it must hold: a second, by the
// product's decisions.
const settled = time.Second

// key is a key of a workspace, as it was made to be.
type key struct {
	id      uuid.UUID
	token   string
	number  int
	scope   viewer.Scope
	revoked bool      // or expired
	changed time.Time // before that, and a second after, either state may hold
}

func (k *key) settled() bool { return time.Since(k.changed) >= settled }
