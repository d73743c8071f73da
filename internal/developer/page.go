package developer

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"records/ent"
	"records/ent/user"
	"records/ent/workspace"
	"records/internal/viewer"
)

//go:embed templates
var templates embed.FS

// page is an HTML answer: a template of the name, inside the layout.
type page struct {
	status int    // 0 is 200
	name   string // of the file in templates, without its ending
	title  string
	data   any    // what the template shows, as .Data
	notice string // of what was done just before
}

// shown is what every template is given.
type shown struct {
	Title     string
	User      *ent.User      // nil: nobody is signed in
	Workspace *ent.Workspace // nil: outside of any
	Role      viewer.Role
	Path      string
	Notice    string // what was just done, once
	Data      any
}

// May reports whether a part of a page is for the role of who looks at it. It only
// leaves out what they could not do: the policies decide.
func (s shown) May(role viewer.Role) bool { return s.Role.May(role) }

// Alone reports whether a page stands by itself, for somebody who is not signed in: no
// navigation, one narrow column. The pages that everybody may read do not.
func (s shown) Alone() bool {
	return s.User == nil && s.Path != "/reference" && s.Path != "/quickstart"
}

// Current marks a link of the navigation that leads to the page itself, or to what
// the page is a part of.
func (s shown) Current(parts ...string) template.HTMLAttr {
	to := strings.Join(parts, "")
	if s.Path == to || (to != "/" && strings.HasPrefix(s.Path, to+"/")) {
		return ` aria-current="page"`
	}
	return ""
}

// pages are the templates by their names. Each is parsed when it is first shown: two
// thirds of what an idle server would have in use are parsed pages, and most servers
// never show them.
type pages map[string]func() (*template.Template, error)

// readPages finds each template, to be parsed together with the layout and the parts
// that pages share.
func readPages(assets assets) (pages, error) {
	files, err := fs.Glob(templates, "templates/*.html")
	all := pages{}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name == "layout" {
			continue
		}
		all[name] = sync.OnceValues(func() (*template.Template, error) {
			t := template.New("layout.html").Funcs(functions(assets)).Option("missingkey=error")
			return t.ParseFS(templates, "templates/layout.html", "templates/parts/*.html", file)
		})
	}
	return all, err
}

// write writes a page.
func (all pages) write(w io.Writer, name string, s shown) error {
	t, err := all[name]()
	if err != nil {
		return err
	}
	return t.Execute(w, s)
}

// send renders the page before it sends the first byte, so that a fault of a
// template is a failed request and no half page.
func (p page) send(a *Area, c *gin.Context) {
	s, err := a.shown(c, p)
	if err != nil && p.name == "failure" {
		s, err = shown{Title: p.title, Data: p.data}, nil // what failed the page may fail this, too
	}
	var body bytes.Buffer
	if err == nil {
		err = a.pages.write(&body, p.name, s)
	}
	if err != nil {
		_ = c.Error(err)
		c.Data(http.StatusInternalServerError, "text/plain; charset=utf-8", []byte("Something went wrong on our side. It has been logged under the request id.\n"))
		return
	}
	status := p.status
	if status == 0 {
		status = http.StatusOK
	}
	c.Data(status, "text/html; charset=utf-8", body.Bytes())
}

// shown collects what the layout tells: who is signed in, and where they are.
func (a *Area) shown(c *gin.Context, p page) (shown, error) {
	s := shown{Title: p.title, Path: c.Request.URL.Path, Notice: p.notice, Data: p.data}
	ctx := c.Request.Context()
	person, ok := viewer.PersonFromContext(ctx)
	if !ok {
		return s, nil
	}
	var err error
	if s.User, err = a.Client.User.Query().Where(user.ID(person.User)).Only(ctx); err != nil || !person.In() {
		return s, err
	}
	s.Role = person.Role
	s.Workspace, err = a.Client.Workspace.Query().Where(workspace.ID(person.Workspace)).Only(ctx)
	return s, err
}
