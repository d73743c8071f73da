package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/viewer"
)

// inViewer begins a function that looks into the reference, which has a root of its
// own.
const inViewer = `const root = document.getElementById("reference").shadowRoot;
	const button = (word) => [...root.querySelectorAll("button")].find((b) => b.innerText.trim() === word);`

// The reference shows what the server's own description says, and a key that is typed
// into it calls the API; neither asks for anything outside, and nothing of the key
// stays behind.
func TestReference(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := begin(t, db)
		key := s.server.Key(t, s.workspace, viewer.Read)
		b := open(t, s.URL)
		b.visit("/reference")
		yes := func(ok bool) bool { return ok }
		await(b, "the operations", func(n int) bool { return n >= 6 }, `() => { `+inViewer+` return root.querySelectorAll(".opblock-tag").length; }`)

		await(b, "the way to authorize", yes, `() => { `+inViewer+` button("Authorize").click(); return true; }`)
		await(b, "the field for the key", yes, `() => { `+inViewer+` const field = root.querySelector(".dialog-ux input"); field.focus(); return root.activeElement === field; }`)
		b.run(chromedp.KeyEvent(key.Token))
		b.hold()
		await(b, "authorized", yes, `() => { `+inViewer+` root.querySelector(".dialog-ux .authorize").click(); return true; }`)
		await(b, "the way back", yes, `() => { `+inViewer+` button("Close").click(); return true; }`)

		await(b, "the tasks", yes, `() => { `+inViewer+` root.querySelector('[data-tag="tasks"] button').click(); return true; }`)
		await(b, "their list", yes, `() => { `+inViewer+` root.querySelector("[id$=listTasks] .opblock-summary-control").click(); return true; }`)
		await(b, "its parameters", yes, `() => { `+inViewer+` return root.querySelector('[data-param-name="limit"] input') !== null; }`)
		await(b, "execute", yes, `() => { `+inViewer+` button("Execute").click(); return true; }`)
		await(b, "the answer", func(text string) bool { return strings.Contains(text, `"count"`) },
			`() => { `+inViewer+` return root.querySelector(".live-responses-table")?.innerText ?? ""; }`)
		b.hold()

		kept, err := eval[string](b, `() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie + location.href`)
		if err != nil || strings.Contains(kept, key.Token) || kept[:4] != "{}{}" {
			t.Errorf("kept: %q, %v", kept, err)
		}
	})
}
