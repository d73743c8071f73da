package outages

import (
	"slices"
	"sync"
)

// ledger is what is known of every record, and of every import. A marker is the text
// by which a record is known, before it has an id.
type ledger struct {
	mu      sync.Mutex
	records map[string]*entry
	gone    map[string]string // what became of the others
	imports []*batch
}

// entry is a record that is there, or may be.
type entry struct {
	owner    *writer
	resource resource
	marker   string
	id       string   // "" if its create was not acknowledged
	values   []string // the last that was acknowledged, and those after it that may have taken effect
	// mayBeAbsent is set where its create or its delete may have taken effect or not.
	mayBeAbsent bool
}

// batch is a file that was imported, or may have been: all of it or nothing.
type batch struct {
	prefix  string // of its markers
	outcome outcome
}

func newLedger() *ledger { return &ledger{records: map[string]*entry{}, gone: map[string]string{}} }

// keep takes up a record.
func (l *ledger) keep(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records[e.marker] = e
}

// drop forgets a record that is not there.
func (l *ledger) drop(e *entry, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.records, e.marker)
	l.gone[e.marker] = why
}

// imported takes up a file that may have been imported.
func (l *ledger) imported(b *batch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.imports = append(l.imports, b)
}

// doubtful reports whether an entry is not known for certain. Nobody writes to such a
// record: what is under way could come after it.
func (e *entry) doubtful() bool { return e.mayBeAbsent || len(e.values) > 1 || e.id == "" }

// found takes up what was found in the database. It returns false if that can not be.
func (e *entry) found(id, value string) bool {
	if e.id != "" && e.id != id || !slices.Contains(e.values, value) {
		return false
	}
	e.id, e.values, e.mayBeAbsent = id, []string{value}, false
	return true
}
