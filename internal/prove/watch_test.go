package prove

import (
	"fmt"
	"strings"
	"sync"
)

// nobody is the owner of what no answer may ever hold: ids of workspaces and keys.
const nobody = -1

// watch knows whose every id and canary is. All workers share it, and find in it
// the ids of others to attack.
type watch struct {
	mu     sync.RWMutex
	owners map[string]int      // by id
	ids    map[string][]string // by plural, those that are gone too
	first  map[string]string   // the first answer of each kind
	tally  map[string]int      // how often something was done or answered
}

func newWatch() *watch {
	return &watch{owners: map[string]int{}, ids: map[string][]string{}, first: map[string]string{}, tally: map[string]int{}}
}

// own takes up an id. It reports whether it is new.
func (w *watch) own(plural, id string, owner int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.owners[id]; known {
		return false
	}
	w.owners[id] = owner
	w.ids[plural] = append(w.ids[plural], id)
	return true
}

// some is the id of a record of some workspace, "" if there is none yet.
func (w *watch) some(plural string, intN func(int) int) string {
	w.mu.RLock()
	defer w.mu.RUnlock()
	ids := w.ids[plural]
	if len(ids) == 0 {
		return ""
	}
	recent := min(len(ids), 500) // most of the older ones are gone
	return ids[len(ids)-1-intN(recent)]
}

// count notes that something was done or answered.
func (w *watch) count(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tally[what]++
}

// leak returns an error if a text that s gets holds what is another's: its canary,
// an id that was not sent and s never wrote itself, or a token.
func (w *watch) leak(s *space, sent, text string) error {
	text = strings.ToLower(text)
	if strings.Contains(text, "wrk_") {
		return fmt.Errorf("there is a token in it")
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, canaryMark)
		if !found {
			break
		}
		if !strings.HasPrefix(canaryMark+after, s.canary) {
			return fmt.Errorf("there is a foreign canary in it: %.9s, not %s", canaryMark+after, s.canary)
		}
		rest = after
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	for id := range ids(text) {
		if owner, known := w.owners[id]; known && owner != s.number && !s.wrote[id] && !strings.Contains(sent, id) {
			return fmt.Errorf("there is a foreign id in it: %s", id)
		}
	}
	return nil
}

// alike returns an error unless an answer is what the first of its kind was,
// whoever got that.
func (w *watch) alike(kind, answer string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	first, known := w.first[kind]
	if !known {
		w.first[kind] = answer
	} else if first != answer {
		return fmt.Errorf("%s: others got %q", kind, first)
	}
	return nil
}

// ids yields every UUID of a lower-case text.
func ids(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := 8; i+28 <= len(text); i++ {
			if text[i] == '-' && text[i+5] == '-' && text[i+10] == '-' && text[i+15] == '-' && !yield(text[i-8:i+28]) {
				return
			}
		}
	}
}
