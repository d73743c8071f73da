package prove

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"records/internal/hostile"
	"records/internal/rest"
	"records/internal/server"
)

// forms are those of an id in a path, in an order that a seed repeats.
var forms = slices.Sorted(maps.Keys(hostile.Forms))

var noRecord = refusal{http.StatusNotFound, rest.CodeNotFound, "record"}

func (k *worker) get(s *space, r resource, id string) *ask {
	path, named := k.form(id)
	a := k.by(s, http.MethodGet, "/"+r.spec.Plural+"/"+path, nil)
	query := k.query(a)
	now := func() record { return s.oracle.records[r.spec.Plural][named] }
	a.verdict = func() refusal {
		if query.status == 0 && now().raw == nil {
			return noRecord
		}
		return query
	}
	a.done = func(got answer) error { return exactly(a, got, http.StatusOK, now().raw) }
	return a
}

func (k *worker) list(s *space, r resource) *ask {
	limit, offset := 1+k.IntN(rest.MaxLimit), 0
	if k.IntN(2) == 0 {
		limit, offset = 1+k.IntN(4), k.IntN(s.most+3)
	}
	a := k.by(s, http.MethodGet, fmt.Sprintf("/%s?limit=%d&offset=%d", r.spec.Plural, limit, offset), nil)
	if k.IntN(4) == 0 {
		a.path, limit, offset = "/"+r.spec.Plural+pick(k, []string{"", "/"}), rest.DefaultLimit, 0
	}
	query := k.query(a)
	a.verdict = func() refusal { return query }
	a.done = func(got answer) error {
		return exactly(a, got, http.StatusOK, s.oracle.page(r.spec.Plural, limit, offset))
	}
	return a
}

func (k *worker) create(s *space, r resource) *ask {
	w := k.write(s, r, false)
	a := k.by(s, http.MethodPost, "/"+r.spec.Plural+pick(k, []string{"", "", "", "/"}), w.raw)
	query := k.query(a)
	a.verdict = func() refusal { return first(readOnly(r, "list"), query, w.fault, w.refusal("")) }
	a.done = func(got answer) error {
		if got.status != http.StatusCreated {
			return fmt.Errorf("want %d", http.StatusCreated)
		}
		made, err := k.created(w, got.body)
		if want := server.Base + "/" + r.spec.Plural + "/" + made.id(); err == nil && got.header.Get("Location") != want {
			return fmt.Errorf("want the Location %s", want)
		}
		return err
	}
	a.settle = func(allowed bool) error {
		newest, err := k.newest(s, r, 1)
		if err != nil || len(newest) == 0 || s.oracle.records[r.spec.Plural][newest[0].id()].raw != nil {
			return err
		}
		if !allowed {
			return fmt.Errorf("it was created, and should be refused: %s", newest[0].raw)
		}
		_, err = k.created(w, newest[0].raw)
		return err
	}
	return a
}

// created takes up a record that was made of a body.
func (k *worker) created(w write, raw []byte) (record, error) {
	made, err := parse(raw)
	if err != nil {
		return made, err
	}
	if !k.watch.own(w.r.spec.Plural, made.id(), w.s.number) {
		return made, fmt.Errorf("the id %q is not new", made.id())
	}
	w.s.oracle.put(w.r.spec.Plural, made)
	return made, written(w.r, made, w.body, nil)
}

func (k *worker) update(s *space, r resource, id string) *ask {
	w := k.write(s, r, true)
	path, named := k.form(id)
	a := k.by(s, http.MethodPatch, "/"+r.spec.Plural+"/"+path, w.raw)
	query := k.query(a)
	now := func() record { return s.oracle.records[r.spec.Plural][named] }
	a.verdict = func() refusal {
		absent := refusal{}
		if now().raw == nil {
			absent = noRecord
		}
		refused := first(readOnly(r, "item"), query, w.fault, absent)
		if refused.status == 0 {
			refused = w.refusal(named)
		}
		return refused
	}
	a.done = func(got answer) error {
		if len(w.body) == 0 {
			return exactly(a, got, http.StatusOK, now().raw)
		}
		if got.status != http.StatusOK {
			return fmt.Errorf("want %d", http.StatusOK)
		}
		return w.updated(now(), got.body)
	}
	a.settle = func(allowed bool) error {
		raw, err := k.see(s, r, named)
		if err != nil || string(raw) == string(now().raw) {
			return err
		}
		if !allowed {
			return fmt.Errorf("it was updated, and should not be: %s, was %s", raw, now().raw)
		}
		return w.updated(now(), raw)
	}
	return a
}

// updated takes up a record that a body changed.
func (w write) updated(before record, raw []byte) error {
	now, err := parse(raw)
	if err == nil {
		err = written(w.r, now, w.body, before.fields)
	}
	w.s.oracle.put(w.r.spec.Plural, now)
	return err
}

func (k *worker) remove(s *space, r resource, id string) *ask {
	path, named := k.form(id)
	a := k.by(s, http.MethodDelete, "/"+r.spec.Plural+"/"+path, nil)
	query := k.query(a)
	a.verdict = func() refusal { return first(readOnly(r, "item"), query) }
	a.done = func(got answer) error {
		shown, err := url.PathUnescape(path)
		if named != "" {
			shown = named
		}
		deleted := s.oracle.remove(r.spec.Plural, named)
		if err != nil {
			return err
		}
		return exactly(a, got, http.StatusOK, fmt.Appendf(nil, `{"id":"%s","deleted":%t}`, shown, deleted))
	}
	a.settle = func(allowed bool) error {
		raw, err := k.see(s, r, named)
		if err != nil || raw != nil || !s.oracle.remove(r.spec.Plural, named) || allowed {
			return err
		}
		return fmt.Errorf("%s was deleted, and should not be", named)
	}
	return a
}

// query puts a parameter into a request that has none of that name, now and then.
// It must be refused, whatever it says.
func (k *worker) query(a *ask) refusal {
	lists := a.method == http.MethodGet && strings.Count(strings.TrimSuffix(strings.SplitN(a.path, "?", 2)[0], "/"), "/") == 1
	rarely := 40
	if lists { // a query says something there, and so could more
		rarely = 6
	}
	if k.IntN(rarely) > 0 {
		return refusal{}
	}
	name := pick(k, []string{"workspace_id", "workspace_id", "workspace", "id", "key", "_method", "filter[workspace_id]", "count"})
	with := "?"
	if strings.Contains(a.path, "?") {
		with = "&"
	}
	a.path += with + url.QueryEscape(name) + "=" + pick(k, []string{k.other().id.String(), k.foreign(k.all[0].spec.Plural), "1"})
	return refusal{http.StatusBadRequest, rest.CodeInvalidParameter, fmt.Sprintf("%s lists %t", name, lists)}
}

func readOnly(r resource, path string) refusal {
	if !r.spec.ReadOnly {
		return refusal{}
	}
	return refusal{http.StatusMethodNotAllowed, rest.CodeMethodNotAllowed, path}
}

// first is the first that refuses.
func first(all ...refusal) refusal {
	for _, r := range all {
		if r.status != 0 {
			return r
		}
	}
	return refusal{}
}
