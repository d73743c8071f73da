package prove

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"records/internal/load"
	"records/internal/rest"
)

// race deletes one record over several connections at once: one of them does it.
func (k *worker) race(s *space) error {
	r := pick(k, k.all)
	id := k.someID(s, r.spec.Plural)
	if r.spec.ReadOnly {
		return nil
	}
	k.note("%s deletes %s/%s three times at once", s.canary, r.spec.Plural, id)
	var answers [3]answer
	var errs [3]error
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() {
			a := &ask{space: s, key: s.main, token: s.main.token, method: http.MethodDelete, path: "/" + r.spec.Plural + "/" + id}
			got, err := k.exchange(a)
			if errs[i] = err; err == nil {
				answers[i] = got[0]
			}
		})
	}
	group.Wait()
	k.done.Add(int64(len(answers)))
	k.watch.count("deletes at once")
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	did, want := 0, 0
	if s.oracle.remove(r.spec.Plural, id) {
		want = 1
	}
	for _, got := range answers {
		switch string(got.body) {
		case fmt.Sprintf(`{"id":"%s","deleted":true}`, id):
			did++
		case fmt.Sprintf(`{"id":"%s","deleted":false}`, id):
		default:
			return fmt.Errorf("a delete of %s answered %d %s", id, got.status, got.body)
		}
	}
	if did != want {
		return fmt.Errorf("of three deletes of %s at once %d did it, want %d", id, did, want)
	}
	return nil
}

// bringIn imports records, all of them or none. It is the way in for resources that
// the API only reads.
func (k *worker) bringIn(s *space, r resource) error {
	n := 1
	if len(r.spec.Unique) == 0 && len(r.spec.Rules) == 0 { // else they could clash with one another, or the references of a later one be told first
		n += k.IntN(3)
	}
	if len(s.oracle.records[r.spec.Plural]) > 2*s.most {
		return nil
	}
	var rows strings.Builder
	bodies, refused := make([]write, n), ""
	for i := range bodies {
		bodies[i] = k.write(s, r, false)
		bodies[i].raw, _ = json.Marshal(bodies[i].body)
		fmt.Fprintf(&rows, "%s\n", bodies[i].raw)
		if bad := first(bodies[i].lost(), bodies[i].refusal("")); refused == "" && bad.status != 0 {
			refused = fmt.Sprint("an import, line ", i+1, ", ", bad)
		}
	}
	k.note("%s imports %s: %s", s.canary, r.spec.Plural, rows.String())
	made, err := load.Import(s.ctx, k.server.Ent, r.spec.Plural, strings.NewReader(rows.String()), load.NDJSON)
	if err != nil {
		if leak := k.watch.leak(s, strings.ToLower(rows.String()), err.Error()); leak != nil {
			return fmt.Errorf("importing: %w: %w", leak, err)
		}
		if refused == "" {
			return fmt.Errorf("importing: %w", err)
		}
		k.watch.count("import refused")
		return k.watch.alike(refused, err.Error())
	}
	if refused != "" || made != n {
		return fmt.Errorf("imported %d of %d %s; refused must be %q", made, n, r.spec.Plural, refused)
	}
	k.watch.count("imported")
	newest, err := k.newest(s, r, min(n, rest.MaxLimit))
	if err != nil || len(newest) != n {
		return fmt.Errorf("after importing %d %s there are %d: %w", n, r.spec.Plural, len(newest), err)
	}
	for i, one := range newest {
		if _, err := k.created(bodies[n-1-i], one.raw); err != nil {
			return fmt.Errorf("imported: %s: %w", one.raw, err)
		}
	}
	return nil
}
