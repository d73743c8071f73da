package browser

import (
	"context"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// What a person does on a page. They go by what they read: the words on a button or
// a link, or the label of a field.

// find returns the middle of what has a name, scrolled to, or null while it is not
// to be seen or something else lies over it.
const find = `(kind, name) => {
	const words = (e) => (e.getAttribute("aria-label") ?? e.innerText ?? "").replace(/\s+/g, " ").trim();
	const among = { button: "button, summary, [role=button]", link: "a[href]", field: "label" }[kind];
	const open = document.querySelector("dialog[open]") ?? document;
	let e = [...open.querySelectorAll(among)].find((e) => words(e) === name && e.checkVisibility());
	if (kind === "field") e = e?.control;
	if (!e) return null;
	e.scrollIntoView({ block: "center", behavior: "instant" });
	const box = e.getBoundingClientRect();
	const at = { X: box.x + box.width / 2, Y: box.y + box.height / 2 };
	const top = document.elementFromPoint(at.X, at.Y);
	return e === top || e.contains(top) || top?.contains(e) ? at : null;
}`

type point struct{ X, Y float64 }

// at waits for what has a name, and returns where it is.
func (b *tab) at(kind, name string) point {
	b.t.Helper()
	return *await(b, "the "+kind+" “"+name+"”", func(p *point) bool { return p != nil }, find, kind, name)
}

// has reports whether something of the name can be seen now.
func (b *tab) has(kind, name string) bool {
	p, err := eval[*point](b, find, kind, name)
	return err == nil && p != nil
}

// press clicks on what has a name, without waiting for what comes of it.
func (b *tab) press(kind, name string) {
	b.t.Helper()
	p := b.at(kind, name)
	b.run(chromedp.MouseClickXY(p.X, p.Y))
}

// follow clicks on what leads to another page, and waits for that.
func (b *tab) follow(kind, name string) {
	b.t.Helper()
	b.leave(func() { b.press(kind, name) })
}

// leave waits until what is done has brought another page.
func (b *tab) leave(do func()) {
	b.t.Helper()
	before := await(b, "a page", func(at float64) bool { return at != 0 }, `() => performance.timeOrigin`)
	do()
	await(b, "another page", func(at float64) bool { return at != 0 && at != before },
		`() => document.readyState === "complete" ? performance.timeOrigin : 0`)
}

// fill types into the field with a label, over what was there.
func (b *tab) fill(label, text string) {
	b.t.Helper()
	p := b.at("field", label)
	b.run(chromedp.MouseClickXY(p.X, p.Y))
	await(b, "the field to be ready to be typed into", func(ok bool) bool { return ok },
		`() => { document.activeElement.select?.(); return document.activeElement.matches("input, textarea"); }`)
	b.write(text)
}

// write types into what has the focus.
func (b *tab) write(text string) {
	b.t.Helper()
	b.call(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: text})
		return err
	})
}

// keys presses keys, such as kb.Tab.
func (b *tab) keys(keys string) {
	b.t.Helper()
	b.run(chromedp.KeyEvent(keys))
}

// focused describes what has the focus by its name.
func (b *tab) focused() string {
	b.t.Helper()
	name, err := eval[string](b, `() => {
		const e = document.activeElement;
		return (e.labels?.[0]?.innerText ?? e.getAttribute("aria-label") ?? e.innerText ?? "").replace(/\s+/g, " ").trim();
	}`)
	if err != nil {
		b.t.Fatal(err)
	}
	return name
}

// see waits until the page says something.
func (b *tab) see(words string) {
	b.t.Helper()
	await(b, "“"+words+"”", func(text string) bool { return strings.Contains(text, words) }, `() => document.body.innerText`)
}

// tabTo goes on by the tab key until what has a name has the focus.
func (b *tab) tabTo(name string) {
	b.t.Helper()
	var passed []string
	for range 40 {
		b.keys(kb.Tab)
		at := b.focused()
		if at == name {
			return
		}
		passed = append(passed, at)
	}
	b.t.Fatalf("no way by the tab key to %q, but to %q", name, passed)
}

// clipboard is held by who copies: all of the browser has one.
var clipboard sync.Mutex

// copies presses a button that copies, and returns what was copied.
func (b *tab) copies(button string) string {
	b.t.Helper()
	clipboard.Lock()
	defer clipboard.Unlock()
	b.press("button", button)
	b.see("Copied")
	b.call(func(ctx context.Context) error {
		_, err := chromedp.CallBrowser(ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: "clipboard-read"}, Setting: browser.PermissionSettingGranted,
			Origin: b.base, BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
		})
		return err
	})
	return await(b, "what was copied", func(text string) bool { return text != "" }, `() => navigator.clipboard.readText()`)
}
