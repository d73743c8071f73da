package developer

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/privacy"
	"records/internal/account"
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/overload"
	"records/internal/rest"
)

// maxForm bounds the body of a form, in bytes.
const maxForm = 64 << 10

// action does what a page asks for. What it answers is sent once the session is
// kept, so that nobody is shown what was not done.
type action func(c *gin.Context) (answer, error)

// guard lets a request pass to the action, or fails it. It may put who is asking
// into the request's context.
type guard func(c *gin.Context) error

// answer is a page or a way to another one.
type answer interface {
	send(a *Area, c *gin.Context)
}

// redirect sends the browser to another page, by GET (303).
type redirect string

func (to redirect) send(_ *Area, c *gin.Context) { c.Redirect(http.StatusSeeOther, string(to)) }

// handle runs an action: the headers that keep a page safe, the session, the
// guards, the action, the session again, the answer.
func (a *Area) handle(action action, guards ...guard) gin.HandlerFunc {
	return func(c *gin.Context) {
		Secure(c.Writer.Header())
		ctx, cancel := context.WithTimeout(c.Request.Context(), a.Timeout)
		defer cancel()
		c.Request = c.Request.WithContext(ctx)
		answer, err := a.run(c, action, guards)
		if p, ok := answer.(page); ok && err == nil {
			p.notice = a.sessions.PopString(c.Request.Context(), noticeKey)
			answer = p
		}
		if err == nil {
			err = a.keepSession(c)
			if c.Request.Method == http.MethodPost && database.IsUnavailable(err) { // what the action did stands
				err = errors.Join(database.ErrOutcomeUnknown, err)
			}
		}
		if err != nil {
			a.fail(c, err)
			return
		}
		answer.send(a, c)
	}
}

func (a *Area) run(c *gin.Context, action action, guards []guard) (answer, error) {
	if err := a.origins.Check(c.Request); err != nil {
		return nil, &failure{http.StatusForbidden, "This form was sent from another site. Open the page again and repeat what you did.", err}
	}
	if err := readForm(c); err != nil {
		return nil, err
	}
	if err := a.attempt(c, a.fromHere(c, "page")); err != nil {
		return nil, err
	}
	if err := a.enter(c); err != nil {
		return nil, err
	}
	defer a.leave(c)
	if err := a.loadSession(c); err != nil {
		return nil, err
	}
	for _, guard := range guards {
		if err := guard(c); err != nil {
			return nil, err
		}
	}
	return action(c)
}

// readForm reads a form whole, before the page has a place that others wait for. One
// in parts, gin would read when it is first asked for a field.
func readForm(c *gin.Context) error {
	r := c.Request
	r.Body = http.MaxBytesReader(c.Writer, r.Body, maxForm)
	err := r.ParseForm()
	if err == nil && r.Method == http.MethodPost {
		err = r.ParseMultipartForm(maxForm)
	}
	if err == nil || errors.Is(err, http.ErrNotMultipart) {
		return nil
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return &failure{http.StatusRequestEntityTooLarge, "The form is too large.", err}
	}
	return &failure{http.StatusBadRequest, "The form could not be read.", err}
}

// placeKey names what gives a request's place back, among its values.
const placeKey = "place"

// enter waits for a place among the pages at work. No address has all of them.
func (a *Area) enter(c *gin.Context) error {
	_, address := a.Address(c.Request)
	leave, err := a.places.Enter(c.Request.Context(), overload.Work{Workspace: uuid.NewSHA1(uuid.Nil, []byte(address))})
	if errors.Is(err, overload.ErrShed) {
		return &failure{http.StatusServiceUnavailable, "There is too much to do at the moment, and nothing was done. Try again shortly.", err}
	}
	if err == nil {
		c.Set(placeKey, leave)
	}
	return err
}

// leave gives the request's place back, if it has one.
func (a *Area) leave(c *gin.Context) {
	if leave, ok := c.Get(placeKey); ok {
		c.Set(placeKey, func() {})
		leave.(func())()
	}
}

// elsewhere asks somebody other than the database, and leaves the page's place to
// others meanwhile. What was asked is not thrown away for want of a place afterwards.
func (a *Area) elsewhere(c *gin.Context, ask func()) {
	a.leave(c)
	ask()
	_ = a.enter(c)
}

// failure is an error that a page tells of.
type failure struct {
	status  int
	message string
	cause   error // for the log alone
}

// Error implements error.
func (f *failure) Error() string {
	if f.cause != nil {
		return f.message + " " + f.cause.Error()
	}
	return f.message
}

// Unwrap returns what caused it, if it is known.
func (f *failure) Unwrap() error { return f.cause }

// noticeKey names what the next page tells once, among a session's values.
const noticeKey = "notice"

// noticed is a way to another page, which tells once what was done.
func (a *Area) noticed(c *gin.Context, to, notice string) answer {
	a.sessions.Put(c.Request.Context(), noticeKey, notice)
	return redirect(to)
}

// errSignIn sends whoever is not signed in to the page where they can be.
var errSignIn = errors.New("nobody is signed in")

// asFailure turns any error into what a page tells of. What it does not know is a
// fault of ours, and says nothing of its inside.
func asFailure(err error) *failure {
	var f *failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, privacy.Deny):
		return &failure{http.StatusForbidden, "Your role in this workspace does not allow that. Ask one of its owners.", err}
	case errors.Is(err, apikey.ErrRevoked), errors.Is(err, apikey.ErrExpired), errors.Is(err, apikey.ErrReplaced), errors.Is(err, apikey.ErrFar):
		return &failure{http.StatusConflict, sentence(err), err}
	case errors.Is(err, account.ErrNoMember), errors.Is(err, apikey.ErrNotFound), ent.IsNotFound(err):
		return &failure{http.StatusNotFound, "There is nothing here, or it is not for you.", err}
	case errors.Is(err, database.ErrOutcomeUnknown):
		return &failure{http.StatusServiceUnavailable, "The connection to the database was lost. What you did may have taken effect: look before you repeat it.", err}
	case database.IsUnavailable(err):
		return &failure{http.StatusServiceUnavailable, "The database cannot be reached. Try again shortly.", err}
	default:
		return &failure{http.StatusInternalServerError, "Something went wrong on our side. It has been logged under the request id.", err}
	}
}

// failed is what the page of a failure shows.
type failed struct {
	Message   string
	RequestID string // where the log says more than the page does
}

// titles of failures. What is not here has the status' own name.
var titles = map[int]string{
	http.StatusForbidden:           "You may not do this",
	http.StatusConflict:            "This was not done",
	http.StatusNotFound:            "There is nothing here",
	http.StatusMethodNotAllowed:    "There is no page here",
	http.StatusTooManyRequests:     "Too many attempts",
	http.StatusInternalServerError: "Something went wrong",
	http.StatusServiceUnavailable:  "Out of reach for a moment",
}

// sentence is what an error says, for people.
func sentence(err error) string {
	s := err.Error()
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// fail answers a failed request with a page, and leaves the cause with the
// request's log line.
func (a *Area) fail(c *gin.Context, err error) {
	_ = c.Error(err)
	c.Abort()
	if errors.Is(err, context.Canceled) { // the browser is gone: nobody is there to read it
		c.Status(rest.StatusClientGone)
		return
	}
	if errors.Is(err, errSignIn) || errors.Is(err, account.ErrEnded) {
		a.rememberWayBack(c)
		a.toSignIn(c).send(a, c)
		return
	}
	f := asFailure(err)
	title, data := titles[f.status], failed{Message: f.message}
	if title == "" {
		title = http.StatusText(f.status)
	}
	if f.status == http.StatusServiceUnavailable {
		c.Header("Retry-After", "5")
	}
	if f.status >= http.StatusInternalServerError {
		data.RequestID = c.Writer.Header().Get("X-Request-Id")
	}
	page{status: f.status, name: "failure", title: title, data: data}.send(a, c)
}

// toSignIn leads to where somebody can sign in, and tells whoever was signed in why.
func (a *Area) toSignIn(c *gin.Context) redirect {
	_, err := c.Request.Cookie(a.sessions.Cookie.Name)
	if had := err == nil; had && a.sessions.Token(c.Request.Context()) == "" { // and it is there no more
		return "/sign-in?ended=1"
	}
	return "/sign-in"
}

// MethodNotAllowed answers a page that was asked for as a form is sent, or the other
// way round: an address out of the bar of a browser, after a form.
func (a *Area) MethodNotAllowed(c *gin.Context) {
	Secure(c.Writer.Header())
	a.fail(c, &failure{status: http.StatusMethodNotAllowed, message: "This is where a form is sent to, and no page. Go back to the page with the form."})
}

// NotFound answers a path at which there is no page.
func (a *Area) NotFound(c *gin.Context) {
	Secure(c.Writer.Header())
	a.fail(c, &failure{status: http.StatusNotFound, message: "There is no page at this address."})
}
