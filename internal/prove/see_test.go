package prove

import (
	"encoding/json"
	"fmt"
	"net/http"

	"records/internal/rest"
)

// newest asks for the newest records of a workspace.
func (k *worker) newest(s *space, r resource, n int) (records []record, err error) {
	got, err := k.look(s, fmt.Sprintf("/%s?limit=%d", r.spec.Plural, n))
	if err != nil {
		return nil, err
	}
	var list struct{ Data []json.RawMessage }
	if err := json.Unmarshal(got.body, &list); err != nil {
		return nil, err
	}
	for _, raw := range list.Data {
		one, err := parse(raw)
		if err != nil {
			return nil, err
		}
		records = append(records, one)
	}
	return records, nil
}

// see asks for a record, and returns nil where there is none.
func (k *worker) see(s *space, r resource, id string) ([]byte, error) {
	if id == "" {
		return nil, nil
	}
	got, err := k.look(s, "/"+r.spec.Plural+"/"+id)
	if err != nil || got.status == http.StatusNotFound {
		return nil, err
	}
	return got.body, nil
}

// look asks where the model does not know what the answer must be.
func (k *worker) look(s *space, path string) (answer, error) {
	a := &ask{space: s, key: s.main, token: s.main.token, method: http.MethodGet, path: path}
	answers, err := k.exchange(a)
	if err != nil {
		return answer{}, err
	}
	return answers[0], k.watch.leak(s, path, answers[0].text())
}

// verify gets and lists all that the model has.
func (k *worker) verify() error {
	for _, s := range k.own {
		for _, r := range k.all {
			plural := r.spec.Plural
			asks := []*ask{{path: fmt.Sprintf("/%s?limit=%d", plural, rest.MaxLimit)}}
			want := [][]byte{s.oracle.page(plural, rest.MaxLimit, 0)}
			for _, id := range s.oracle.ids(plural) {
				asks = append(asks, &ask{path: "/" + plural + "/" + id})
				want = append(want, s.oracle.records[plural][id].raw)
			}
			for i, a := range asks {
				a.space, a.key, a.token, a.method = s, s.main, s.main.token, http.MethodGet
				a.verdict = func() refusal { return refusal{} }
				a.done = func(got answer) error { return exactly(a, got, http.StatusOK, want[i]) }
			}
			if err := k.run(asks...); err != nil {
				return fmt.Errorf("looking at everything: %w", err)
			}
		}
	}
	return nil
}
