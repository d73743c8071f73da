package browser

import (
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/chromedp/chromedp"
)

// axe is the source of axe-core, which looks for what keeps people out of a page.
var axe = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile("../../../tools/browser/node_modules/axe-core/axe.min.js")
	if err != nil {
		return "", errors.New("axe is not installed: run `make test`, or `npm --prefix tools/browser ci` (" + err.Error() + ")")
	}
	return string(source), nil
})

// hold fails the test unless the page in the tab is one for everybody: no violation
// that axe knows, in dark on a desk and in light on a phone, nothing wider than that,
// no error on the console, nothing that the content policy refused.
func (b *tab) hold() {
	b.t.Helper()
	path := b.path()
	source, err := axe()
	if err != nil {
		b.t.Fatal(err)
	}
	b.run(chromedp.Evaluate[chromedp.Void](source)) // not subject to the page's policy
	b.theme("dark")
	b.axe(path + " in dark")
	b.shot(path + " dark")
	b.theme("light")
	b.shot(path + " light")

	b.phone()
	b.axe(path + " on a phone")
	wide, err := eval[[]string](b, wider)
	if err != nil {
		b.t.Fatal(err)
	}
	if len(wide) > 0 {
		b.t.Errorf("%s is wider than a phone, by %s", path, strings.Join(wide, ", "))
	}
	b.shot(path + " phone")
	b.desk()
	b.quiet()
}

// wider names what sticks out of the page to the right, if the page can be scrolled
// there.
const wider = `() => {
	const width = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= width) return [];
	return ["a scroll width of " + document.documentElement.scrollWidth].concat(
		[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > width + 1 && !e.closest(".scroll, pre"))
			.map((e) => e.outerHTML.slice(0, 120)));
}`

func (b *tab) axe(where string) {
	b.t.Helper()
	found, err := eval[[]string](b, `async () => {
		const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false });
		return violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + v.help + ": " + n.html.slice(0, 200) + " (" + n.failureSummary.replace(/\s+/g, " ") + ")"));
	}`)
	if err != nil {
		b.t.Fatalf("%s: %v", where, err)
	}
	for _, violation := range found {
		b.t.Errorf("%s: %s", where, violation)
	}
}
