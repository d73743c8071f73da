package developer

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/swaggest/swgui/v5/static"

	"records/ent"
	"records/internal/apikey"
)

//go:embed assets
var assetFiles embed.FS

// assets are the files that pages refer to. The name in a page has the file's hash
// in it, so that browsers keep them for good.
type assets map[string]asset // by the name in the page, such as style.1a2b3c4d.css

type asset struct {
	contentType string
	open        func() (fs.File, error)
	zipped      bool // by gzip, in the program; never copied into memory as a whole
}

// contentTypes are those of all endings there are. The mime package would ask the
// machine's own tables, which differ.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

func readAssets() assets {
	all := assets{}
	entries, err := assetFiles.ReadDir("assets")
	if err != nil {
		panic(err) // they are embedded
	}
	for _, e := range entries {
		all.add(assetFiles, path.Join("assets", e.Name()))
	}
	for _, name := range []string{"swagger-ui-bundle.js.gz", "swagger-ui.css.gz"} {
		all.add(static.FS, name)
	}
	return all
}

// add adds a file that is embedded. What is compressed there is sent as it is.
func (all assets) add(files fs.FS, file string) {
	a := asset{open: func() (fs.File, error) { return files.Open(file) }}
	f, err := a.open()
	if err != nil {
		panic(err) // they are embedded
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		panic(err)
	}
	var name string
	name, a.zipped = strings.CutSuffix(path.Base(file), ".gz")
	a.contentType = contentTypes[path.Ext(name)]
	all[hashed(name, sum.Sum(nil))] = a
}

func hashed(name string, sum []byte) string {
	ending := path.Ext(name)
	return strings.TrimSuffix(name, ending) + "." + hex.EncodeToString(sum[:4]) + ending
}

// functions are those that templates may call.
func functions(all assets) template.FuncMap {
	return template.FuncMap{
		// asset is the path of a file in assets.
		"asset": func(name string) string {
			for hashed := range all {
				if strings.HasPrefix(hashed, strings.TrimSuffix(name, path.Ext(name))+".") && path.Ext(hashed) == path.Ext(name) {
					return "/assets/" + hashed
				}
			}
			panic("there is no asset " + name)
		},
		// when is a moment, for people.
		"when": func(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") },
		// iso is a moment, for programs.
		"iso": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		// state is where a key is in its life.
		"state": func(key *ent.APIKey) apikey.State { return apikey.StateOf(key, time.Now()) },
		// thousands is a number with commas.
		"thousands": thousands,
	}
}

// asset answers GET /assets/:name.
func (a *Area) asset(c *gin.Context) {
	Secure(c.Writer.Header())
	found, ok := a.assets[c.Param("name")]
	if !ok {
		a.fail(c, &failure{status: http.StatusNotFound, message: "There is no such file."})
		return
	}
	file, err := found.open()
	if err != nil {
		a.fail(c, err)
		return
	}
	defer file.Close()
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Header("Content-Type", found.contentType)
	if err := found.send(c, file); err != nil {
		_ = c.Error(err) // the client is gone
	}
}

// send sends the file; one that is compressed as it is, to whoever takes that.
func (found asset) send(c *gin.Context, file io.Reader) error {
	if !found.zipped {
		_, err := io.Copy(c.Writer, file)
		return err
	}
	c.Header("Vary", "Accept-Encoding")
	if takesGzip(c.GetHeader("Accept-Encoding")) {
		c.Header("Content-Encoding", "gzip")
		_, err := io.Copy(c.Writer, file)
		return err
	}
	plain, err := gzip.NewReader(file)
	if err == nil {
		_, err = io.Copy(c.Writer, plain) //nolint:gosec // a file of our own
	}
	return err
}

// takesGzip reports whether a list of encodings has gzip in it, and does not refuse it
// by a weight of 0 (RFC 9110, section 12.5.3).
func takesGzip(accepted string) bool {
	for part := range strings.SplitSeq(strings.ToLower(accepted), ",") {
		coding, parameters, _ := strings.Cut(part, ";")
		if strings.TrimSpace(coding) != "gzip" {
			continue
		}
		_, weight, weighed := strings.Cut(parameters, "=")
		q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
		return !weighed || err == nil && q > 0
	}
	return false
}
