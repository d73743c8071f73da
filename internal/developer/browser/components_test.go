package browser

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Every component of the stylesheet, on a page that is no part of the program.
func TestComponents(t *testing.T) {
	t.Parallel()
	b := open(t, components(t))
	b.visit("/")
	b.hold()
}

func components(t *testing.T) string {
	t.Helper()
	pages := http.NewServeMux()
	for path, file := range map[string]string{
		"/{$}": "testdata/components.html", "/style.css": "../assets/style.css", "/app.js": "../assets/app.js",
	} {
		pages.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })
	}
	s := httptest.NewServer(pages)
	t.Cleanup(s.Close)
	return s.URL
}

// What cannot be undone is asked for first, and is not done unless it is said so.
func TestConfirmation(t *testing.T) {
	t.Parallel()
	b := open(t, components(t))
	b.visit("/")
	b.press("button", "Revoke")
	b.see("Revoke the key “Warehouse”?")
	if at := b.focused(); at != "Cancel" {
		t.Errorf("the question begins at %q", at)
	}
	b.press("button", "Cancel")
	await(b, "no question", func(n int) bool { return n == 0 }, `() => document.querySelectorAll("dialog").length`)
	if at := b.focused(); at != "Revoke" {
		t.Errorf("after it the focus is on %q", at)
	}
	b.press("button", "Revoke")
	b.see("Revoke the key “Warehouse”?")
	b.shot("dialog")
	b.follow("button", "Revoke")
	b.quiet()
}
