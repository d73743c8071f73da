package developer_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
)

// The reference is for everybody, and comes with all that it needs: the viewer from
// within the program, compressed as it is kept there, to be kept by browsers.
func TestReferenceIsServed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		b := s.Browser(t)
		page := b.Get("/reference")
		if page.Status != http.StatusOK || strings.Contains(string(page.Body), "ZgotmplZ") {
			t.Fatalf("%d\n%s", page.Status, page.Body)
		}
		for _, outside := range []string{"https://", "http://", "//cdn", "style=", "<style", "onclick"} {
			if strings.Contains(string(page.Body), outside) {
				t.Errorf("the page has %q in it", outside)
			}
		}
		for name, word := range map[string]string{"swagger-ui-bundle": "SwaggerUIBundle", "swagger-ui": ".swagger-ui", "reference": "viewer"} {
			path := regexp.MustCompile(`/assets/` + name + `\.[0-9a-f]{8}\.(js|css)`).FindString(string(page.Body))
			plain := b.Do(http.MethodGet, path, nil, http.Header{"Accept-Encoding": {"identity"}})
			if plain.Status != http.StatusOK || !strings.Contains(string(plain.Body), word) || plain.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s at %q: %d %v", name, path, plain.Status, plain.Header)
			}
			for _, refused := range []string{"gzip;q=0", "br, GZIP ; Q=0.000", "gzipped"} {
				if r := b.Do(http.MethodGet, path, nil, http.Header{"Accept-Encoding": {refused}}); r.Header.Get("Content-Encoding") != "" || !bytes.Equal(r.Body, plain.Body) {
					t.Errorf("%s for %q: %v", path, refused, r.Header)
				}
			}
			zipped := b.Do(http.MethodGet, path, nil, http.Header{"Accept-Encoding": {"gzip"}})
			z, err := gzip.NewReader(bytes.NewReader(zipped.Body))
			if err != nil {
				t.Errorf("%s: %v %v", path, err, zipped.Header)
				continue
			}
			body, err := io.ReadAll(z)
			if err != nil || !bytes.Equal(body, plain.Body) || zipped.Header.Get("Content-Encoding") != "gzip" ||
				!strings.Contains(zipped.Header.Get("Cache-Control"), "immutable") || zipped.Header.Get("Content-Security-Policy") == "" {
				t.Errorf("%s: %v, %v", path, err, zipped.Header)
			}
		}
	})
}
