package outages

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// batchSize is how many records a file has.
const batchSize = 60

// keepImporting imports a file now and then, by the command.
func (w *world) keepImporting() {
	for n := 1; !w.over.Load() && !w.t.Failed(); n++ {
		w.quiet.RLock()
		w.importOne(n)
		w.quiet.RUnlock()
		for range 20 { // two seconds, unless it is over
			if !w.over.Load() {
				time.Sleep(100 * time.Millisecond)
			}
		}
	}
}

// importOne imports a file, all of it or nothing.
func (w *world) importOne(n int) {
	b := &batch{prefix: fmt.Sprintf("%s-import%d-", mark, n)}
	var rows strings.Builder
	for i := range batchSize {
		fmt.Fprintf(&rows, "{\"name\":\"%s%d\"}\n", b.prefix, i)
	}
	if err := os.WriteFile(filepath.Join(w.program.dir, "import.ndjson"), []byte(rows.String()), 0o600); err != nil {
		w.t.Error(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := w.program.command(ctx, "import", "contacts", "import.ndjson", "--workspace", w.imports.name).CombinedOutput()
	switch {
	case ctx.Err() != nil:
		w.t.Errorf("an import has not ended during: %s", w.tally.outage())
	case err == nil:
		b.outcome = acknowledged
	case strings.Contains(string(out), "may have"):
		b.outcome = unknown
	default:
		b.outcome = refused
	}
	if lines := strings.Count(string(out), "\n"); lines != 1 {
		w.t.Errorf("an import said: %s", out)
	}
	w.ledger.imported(b)
	w.tally.imported(b.outcome)
}
