package browser

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestMain(m *testing.M) {
	code := m.Run()
	stop()
	os.Exit(code)
}

// stop ends Chromium, once it was started.
var stop = func() {}

// chromium starts the one Chromium of these tests. Each test has a profile of its own
// in it.
var chromium = sync.OnceValues(func() (context.Context, error) {
	program := os.Getenv("TEST_CHROMIUM")
	if program == "" {
		return nil, errors.New("TEST_CHROMIUM names no Chromium: run `make test`, which finds or installs it, or set it to the program")
	}
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.NoSandbox, // it opens our own pages alone, and a sandbox wants rights that a container lacks
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		// Nothing is asked for outside of this machine.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
	)...)
	ctx, end := chromedp.NewContext(allocator)
	stop = func() { end(); endAllocator() }
	return ctx, chromedp.Do(ctx)
})
