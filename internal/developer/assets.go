package developer

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

//go:embed assets
var assetFiles embed.FS

// assets are the files that pages refer to. The name in a page has the file's hash
// in it, so that browsers keep them for good.
type assets map[string]asset // by the name in the page, such as style.1a2b3c4d.css

type asset struct {
	contentType string
	body        []byte
}

func readAssets() assets {
	entries, err := assetFiles.ReadDir("assets")
	if err != nil {
		panic(err) // they are embedded
	}
	all := assets{}
	for _, e := range entries {
		body, err := assetFiles.ReadFile(path.Join("assets", e.Name()))
		if err != nil {
			panic(err)
		}
		all[hashed(e.Name(), body)] = asset{mime.TypeByExtension(path.Ext(e.Name())), body}
	}
	return all
}

func hashed(name string, body []byte) string {
	sum := sha256.Sum256(body)
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
		// thousands is a number with commas, and iso a moment as datetime wants it.
		"thousands": thousands,
		"iso":       func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	}
}

// asset answers GET /assets/:name.
func (a *Area) asset(c *gin.Context) {
	secure(c.Writer.Header())
	found, ok := a.assets[c.Param("name")]
	if !ok {
		a.fail(c, &failure{status: http.StatusNotFound, message: "There is no such file."})
		return
	}
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Data(http.StatusOK, found.contentType, found.body)
}
