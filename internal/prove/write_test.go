package prove

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"records/internal/hostile"
	"records/internal/rest"
)

// write is a body, and how it must be refused if it is.
type write struct {
	s     *space
	r     resource
	body  map[string]any // what it gives; empty where it gives nothing
	raw   []byte         // as it is sent
	fault refusal        // of the body alone, whatever there is in the workspace
}

// write makes a body up: valid but for its references, which may be anyone's, and,
// now and then, for one fault.
func (k *worker) write(s *space, r resource, update bool) write {
	s.bodies++
	w := write{s: s, r: r, body: hostile.Body(r, s.bodies, nil, fmt.Sprintf("%s %d ", s.canary, s.bodies))}
	if update && k.IntN(2) == 0 {
		w.body = hostile.Mutable(r, w.body)
	}
	for _, f := range r.Fields() {
		value, given := w.body[f.Name]
		switch {
		case f.Reference != "" && k.IntN(4) == 0:
			w.body[f.Name] = k.someID(s, f.Reference)
		case f.Reference != "" && k.IntN(2) == 0:
			if own := s.oracle.ids(f.Reference); len(own) > 0 {
				w.body[f.Name] = pick(k, own)
			}
		case given && update && k.IntN(3) == 0:
			delete(w.body, f.Name)
		case f.Nullable && k.IntN(6) == 0:
			w.body[f.Name] = nil
		case given && k.IntN(20) == 0: // where any UUID may stand, any may: a foreign one, too
			if _, err := f.Parse([]byte(`"` + k.other().id.String() + `"`)); err == nil && f.JSON == "string" && value != nil && f.MaxLength == 0 {
				id := k.foreign(r.spec.Plural)
				w.body[f.Name], s.wrote[id] = id, true
			}
		}
	}
	k.likeAnother(w)
	sent := k.spoil(&w, update)
	w.raw, _ = json.Marshal(sent) // it is made of what JSON can say
	if w.fault.kind == twice {
		w.raw = []byte(`{"id":1,"id":2,"x":` + string(w.raw) + `}`)
	}
	return w
}

// twice is a body that names the same field two times.
const twice = "a field twice"

// spoil returns what is sent for a body: now and then with something in it that is
// ignored, with nothing in it, or with a fault.
func (k *worker) spoil(w *write, update bool) map[string]any {
	sent := map[string]any{}
	for name, v := range w.body {
		sent[name] = v
	}
	switch n := k.IntN(40); {
	case n < 2:
		sent["id"], sent["created_at"] = k.foreign(w.r.spec.Plural), "never"
	case n < 4 && update: // nothing but what is ignored
		clear(w.body)
		return map[string]any{"id": k.foreign(w.r.spec.Plural)}
	case n == 4:
		sent["workspace_id"] = k.other().id
		w.fault = refusal{http.StatusBadRequest, rest.CodeValidationFailed, w.r.spec.Plural + " with a workspace"}
	case n == 5:
		w.fault = refusal{http.StatusBadRequest, rest.CodeInvalidJSON, twice}
	case n < 8 && len(w.r.references) > 0:
		f := pick(k, w.r.references)
		form := pick(k, []string{"bare", "braces", "urn"})
		sent[f.Name] = strings.NewReplacer("%7B", "{", "%7D", "}").Replace(hostile.Forms[form](k.foreign(f.Reference)))
		w.fault = refusal{http.StatusBadRequest, rest.CodeValidationFailed, f.Name + " of no form"}
	}
	return sent
}

// likeAnother gives what is unique the value that some record has already, now and
// then: one of the workspace's own, or what a record of others may have too.
func (k *worker) likeAnother(w write) {
	if len(w.r.spec.Unique) == 0 || k.IntN(3) > 0 {
		return
	}
	own := w.s.oracle.records[w.r.spec.Plural]
	like := own[k.someID(w.s, w.r.spec.Plural)].fields
	for _, names := range w.r.spec.Unique {
		for _, name := range names {
			if v, there := like[name]; there {
				w.body[name] = v
			}
		}
	}
}

// refusal is what the model says of a body for the record id, or for a new one.
func (w write) refusal(id string) refusal {
	o := w.s.oracle
	if len(w.body) == 0 {
		return refusal{}
	}
	if frozen := o.frozen(w.r, id, w.body); id != "" && frozen != nil {
		return refusal{http.StatusBadRequest, rest.CodeValidationFailed, strings.Join(frozen, ", ") + " frozen"}
	}
	if rule := o.broken(w.r, id, w.body); rule != "" {
		return refusal{http.StatusBadRequest, rest.CodeValidationFailed, "the rule " + rule}
	}
	if o.clashes(w.r, id, w.body) {
		return refusal{http.StatusConflict, rest.CodeConflict, ""}
	}
	return w.lost()
}

// lost is what the model says of the references of a body. An import looks for them
// before it writes: it tells of them first, also of a record that clashes with another.
func (w write) lost() refusal {
	if bad := w.s.oracle.bad(w.r, w.body); bad != nil {
		return refusal{http.StatusBadRequest, rest.CodeInvalidReference, strings.Join(bad, ", ")}
	}
	return refusal{}
}
