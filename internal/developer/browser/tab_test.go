package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for what has to come: generous, for the machine
// may be busy, and only spent by a test that fails.
const patience = 30 * time.Second

// tab is a tab of a browser in which nobody is signed in yet.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string

	mu    sync.Mutex
	loud  []string // what the console said
	shots int
}

// open opens a tab on the server at a URL, at the width of a desk, in light colours.
func open(t *testing.T, base string) *tab {
	t.Helper()
	browser, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	b := &tab{t: t, base: base}
	ctx, end := chromedp.NewContext(browser, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.listen))
	t.Cleanup(end)
	b.ctx = ctx
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	b.desk()
	b.theme("light")
	return b
}

// listen notes what the console says of errors and of the content policy.
func (b *tab) listen(event any) {
	note := func(format string, parts ...any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.loud = append(b.loud, fmt.Sprintf(format, parts...))
	}
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		note("exception: %v", e.ExceptionDetails)
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			for _, argument := range e.Args {
				note("console.%s: %s", e.Type, argument.Value)
			}
		}
	case *log.EventEntryAdded:
		// A page that is answered with a failure, as a faulty form is, is told as one of
		// the network; an asset that is not there is too, and is none of these.
		page := e.Entry.Source == "network" && !strings.Contains(e.Entry.URL, "/assets/")
		if e.Entry.Level == "error" && !page {
			note("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	}
}

// quiet fails the test if the console said anything. Swagger UI brings style
// attributes of its own, which the policy refuses, and does without them.
func (b *tab) quiet() {
	b.t.Helper()
	viewer := b.path() == "/reference"
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range b.loud {
		if !viewer || !strings.HasPrefix(line, "security: Applying inline style ") {
			b.t.Errorf("%s", line)
		}
	}
	b.loud = nil
}

// run does one thing in the tab.
func (b *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval calls a JavaScript function in the page, as a debugger does: also where the
// page may run none.
func eval[T any](b *tab, function string, arguments ...any) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	words := make([]string, len(arguments))
	for i, argument := range arguments {
		text, err := json.Marshal(argument)
		if err != nil {
			b.t.Fatal(err)
		}
		words[i] = string(text)
	}
	expression := fmt.Sprintf("(%s)(%s)", function, strings.Join(words, ", "))
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// await asks until the answer is one that will do, and returns it. The page may be
// another one meanwhile: a question that fails for that is asked again.
func await[T any](b *tab, what string, good func(T) bool, function string, arguments ...any) T {
	b.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		answer, err := eval[T](b, function, arguments...)
		if err == nil && good(answer) {
			return answer
		}
		if time.Now().After(deadline) {
			b.shot("failed")
			b.t.Fatalf("waited for %s; it was %v, %v; at %s:\n%s", what, answer, err, b.path(), b.text())
		}
	}
}

// visit goes to a path, and returns the status of the answer.
func (b *tab) visit(path string) int {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	response, err := chromedp.Run(ctx, chromedp.NavigateResponse(b.base+path))
	if err != nil {
		b.t.Fatalf("%s: %v", path, err)
	}
	if response == nil {
		return http.StatusOK
	}
	return int(response.Status)
}

func (b *tab) path() string {
	path, _ := eval[string](b, `() => location.pathname`)
	return path
}

func (b *tab) text() string {
	text, _ := eval[string](b, `() => document.body.innerText`)
	return text
}

// theme sets the colours that the person prefers, and that they want no motion, so
// that no colour is seen on its way to another.
func (b *tab) theme(name string) {
	b.t.Helper()
	b.call(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		return err
	})
}

func (b *tab) desk()  { b.run(chromedp.EmulateViewport(1280, 800)) }
func (b *tab) phone() { b.run(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile)) }

// withoutScripts turns JavaScript off.
func (b *tab) withoutScripts() {
	b.t.Helper()
	b.call(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
}

func (b *tab) call(f func(ctx context.Context) error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := f(ctx); err != nil {
		b.t.Fatal(err)
	}
}

// shot keeps a picture of the page in the folder that TEST_SHOTS names, if it does.
func (b *tab) shot(name string) {
	folder := os.Getenv("TEST_SHOTS")
	if folder == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Logf("%s: %v", name, err)
		return
	}
	b.shots++
	file := strings.NewReplacer("/", "_", " ", "_", ":", "").Replace(fmt.Sprintf("%s %02d %s.png", b.t.Name(), b.shots, name))
	if err := os.WriteFile(filepath.Join(folder, file), picture, 0o644); err != nil {
		b.t.Log(err)
	}
}
