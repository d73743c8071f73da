package outages

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// verify holds all that is listed against the ledger, while nobody writes.
func (w *world) verify(after string) {
	w.quiet.Lock()
	defer w.quiet.Unlock()
	w.site.settle()
	seen := map[string]bool{}
	for _, s := range w.spaces {
		for _, r := range resources {
			for _, got := range w.listAll(s, r) {
				w.check(after, s, r, got, seen)
			}
		}
	}
	for _, e := range w.ledger.records {
		if seen[e.marker] {
			continue
		}
		if !e.mayBeAbsent {
			w.t.Errorf("after %s: %s, a %s, was acknowledged and is not there", after, e.marker, e.resource.plural)
		}
		w.tally.resolved(false)
		w.ledger.drop(e, "its create or delete was left open, and it was not there afterwards")
	}
	w.checkImports(after)
	w.handBack()
	w.program.must("doctor")
	if fault := w.program.log.faulty(); fault != "" {
		w.t.Errorf("after %s, the log: %s", after, tellable(fault))
	}
}

// check holds a record that is there against the ledger.
func (w *world) check(after string, s space, r resource, got row, seen map[string]bool) {
	e := w.ledger.records[got.marker]
	switch {
	case e == nil:
		w.t.Errorf("after %s: %s of %s is there as %s, and must not be: %s", after, got.marker, s.name, got.id, w.ledger.gone[got.marker])
		return
	case seen[got.marker]:
		w.t.Errorf("after %s: %s is there twice, once as %s", after, got.marker, got.id)
	case e.resource != r || e.owner.space != s:
		w.t.Errorf("after %s: %s is there as one of the %s of %s", after, got.marker, r.plural, s.name)
	}
	open, may := e.doubtful(), strings.Join(e.values, " or ")
	if !e.found(got.id, got.value) {
		w.t.Errorf("after %s: %s is there as %s with %q; want %s with %s", after, got.marker, got.id, got.value, e.id, may)
	}
	if open {
		w.tally.resolved(true)
	}
	seen[got.marker] = true
}

// checkImports looks whether each file was imported as a whole or not at all.
func (w *world) checkImports(after string) {
	there := map[string]int{}
	for _, got := range w.listAll(w.imports, resource{"contacts", "name", "phone"}) {
		there[got.marker[:strings.LastIndexByte(got.marker, '-')+1]]++
	}
	for _, b := range w.ledger.imports {
		n := there[b.prefix]
		delete(there, b.prefix)
		if n != 0 && n != batchSize || b.outcome == acknowledged && n == 0 || b.outcome == refused && n > 0 {
			w.t.Errorf("after %s: of the file %s %d records are there, and its import was %v", after, b.prefix, n, b.outcome)
		}
		if b.outcome == unknown { // now it is known
			b.outcome = map[bool]outcome{true: acknowledged, false: refused}[n > 0]
		}
	}
	for prefix := range there {
		w.t.Errorf("after %s: nobody has imported %s", after, prefix)
	}
}

// handBack gives the writers what is there, with what others have made in an overload.
func (w *world) handBack() {
	for _, k := range append(slices.Clone(w.writers), w.probe) {
		k.mine = nil
	}
	for _, marker := range slices.Sorted(maps.Keys(w.ledger.records)) {
		e := w.ledger.records[marker]
		e.owner.mine = append(e.owner.mine, e)
	}
}

// listAll returns every record of a resource. The count of each page must be how many
// there are.
func (w *world) listAll(s space, r resource) (all []row) {
	count := 0
	for first := true; first || len(all) < count; first = false {
		a := w.ask(w.client, s.token, http.MethodGet, fmt.Sprintf("/%s?limit=%d&offset=%d", r.plural, pageSize, len(all)), "")
		if a.status != http.StatusOK {
			w.t.Errorf("a list answered %d %s, when all should be well", a.status, a.body)
			return all
		}
		p, err := r.parsePage(a.body)
		if err != nil || !first && p.count != count || len(p.rows) != min(p.count-len(all), pageSize) {
			w.t.Errorf("%s of %s: %d records after %d, count %d, before it %d: %v", r.plural, s.name, len(p.rows), len(all), p.count, count, err)
			return all
		}
		all, count = append(all, p.rows...), p.count
	}
	return all
}
