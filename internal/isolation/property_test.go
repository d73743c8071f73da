package isolation

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/rest"
	"records/internal/servertest"
)

// number is a setting of the test from the environment.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// Random operations by the keys of three workspaces: each answer is what a
// model of the one workspace says, which knows of no other.
func TestWorkspacesAreAlone(t *testing.T) {
	t.Parallel()
	seed, operations := number(t, "PROVE_SEED", rand.Uint64()), number(t, "PROVE_OPS", 500)
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		t.Logf("PROVE_SEED=%d", seed)
		p := &prover{t: t, world: start(t, db), Rand: rand.New(rand.NewPCG(seed, 0))}
		for _, canary := range []string{"one5k", "two8m", "three2z"} {
			p.tenants = append(p.tenants, p.tenant(t, canary))
			p.oracles = append(p.oracles, newOracle(p.all))
		}
		for range operations {
			p.step()
			if t.Failed() {
				t.FailNow()
			}
		}
		for i := range p.tenants {
			for _, r := range p.all {
				p.list(i, r, 200, 0)
				for _, id := range p.oracles[i].ids(r.Spec().Plural) {
					p.get(i, r, id)
				}
			}
		}
	})
}

type prover struct {
	*world
	*rand.Rand
	t       *testing.T
	tenants []*tenant
	oracles []*oracle
}

// step is one random operation of one tenant.
func (p *prover) step() {
	i, r := p.IntN(len(p.tenants)), p.all[p.IntN(len(p.all))]
	switch plural := r.Spec().Plural; p.IntN(10) {
	case 0, 1, 2:
		p.create(i, r)
	case 3, 4, 5:
		p.update(i, r, p.someID(i, plural))
	case 6, 7:
		p.delete(i, r, p.someID(i, plural))
	case 8:
		p.get(i, r, p.someID(i, plural))
	default:
		p.list(i, r, 1+p.IntN(200), p.IntN(5))
	}
}

// someID is most often an id of the tenant's own, else another tenant's, one
// that is gone, or one that never was.
func (p *prover) someID(i int, plural string) string {
	o := p.oracles[i]
	if p.IntN(3) == 0 {
		o = p.oracles[p.IntN(len(p.oracles))]
	}
	ids := o.ids(plural)
	if p.IntN(8) == 0 {
		ids = o.gone[plural]
	}
	if len(ids) == 0 || p.IntN(12) == 0 {
		return uuid.Must(uuid.NewV7()).String()
	}
	return ids[p.IntN(len(ids))]
}

// body is a valid body but for its references, which may be anyone's.
func (p *prover) body(i int, r rest.Resource) map[string]any {
	body := p.tenants[i].body(r, nil)
	if p.IntN(3) == 0 { // what is unique, as some record has it: the tenant's own or, without the canary, another's
		j := p.IntN(len(p.oracles))
		like := p.oracles[j].records[r.Spec().Plural][p.someID(j, r.Spec().Plural)]
		for _, name := range slices.Concat(r.Spec().Unique...) {
			if v, ok := like[name]; ok && (i == j || !strings.Contains(fmt.Sprint(v), p.tenants[j].canary)) {
				body[name] = v
			}
		}
	}
	for _, f := range references(r) {
		switch p.IntN(3) {
		case 0:
			body[f.Name] = p.someID(i, f.Reference)
		case 1:
			body[f.Name] = nil
		}
	}
	return body
}

func (p *prover) create(i int, r rest.Resource) {
	p.t.Helper()
	o, body, plural := p.oracles[i], p.body(i, r), r.Spec().Plural
	if r.Spec().ReadOnly {
		p.expect(p.do(i, http.MethodPost, "/"+plural, body), "create", http.StatusMethodNotAllowed)
		p.bringIn(i, r, body)
		return
	}
	res := p.do(i, http.MethodPost, "/"+plural, body)
	if o.clashes(r, "", body) {
		p.expect(res, "create", http.StatusConflict)
		return
	}
	if bad := o.bad(r, body); bad != nil {
		p.refused(res, bad)
		return
	}
	got := p.expect(res, "create", http.StatusCreated)
	p.written(r, got, body)
	o.put(plural, got)
}

// bringIn creates a record as an import does.
func (p *prover) bringIn(i int, r rest.Resource, body map[string]any) {
	p.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	created, err := r.Create(p.tenants[i].ctx, p.all, raw)
	bad, clashes := p.oracles[i].bad(r, body), p.oracles[i].clashes(r, "", body)
	if (bad == nil && !clashes) != (err == nil) {
		p.t.Errorf("bringing in %s: %v, bad are %v, clashes: %t", r.Spec().Plural, err, bad, clashes)
	}
	if err == nil {
		p.oracles[i].put(r.Spec().Plural, servertest.Response{Body: created}.JSON(p.t))
	}
}

func (p *prover) update(i int, r rest.Resource, id string) {
	p.t.Helper()
	o, body, plural := p.oracles[i], p.body(i, r), r.Spec().Plural
	if p.IntN(2) == 0 {
		body = mutable(r, body)
	}
	res := p.do(i, http.MethodPatch, "/"+plural+"/"+id, body)
	bad, frozen := o.bad(r, body), o.frozen(r, id, body)
	switch {
	case r.Spec().ReadOnly:
		p.expect(res, "update", http.StatusMethodNotAllowed)
	case o.records[plural][id] == nil:
		p.expect(res, "update", http.StatusNotFound)
	case frozen != nil:
		p.frozen(res, frozen)
	case o.clashes(r, id, body):
		p.expect(res, "update", http.StatusConflict)
	case bad != nil:
		p.refused(res, bad)
	default:
		got := p.expect(res, "update", http.StatusOK)
		p.written(r, got, body)
		for name, was := range o.records[plural][id] {
			if _, changed := body[name]; !changed && name != "updated_at" && !reflect.DeepEqual(got[name], was) {
				p.t.Errorf("update of %s: %s was %v and is %v", plural, name, was, got[name])
			}
		}
		o.put(plural, got)
	}
}

func (p *prover) delete(i int, r rest.Resource, id string) {
	p.t.Helper()
	plural := r.Spec().Plural
	res := p.do(i, http.MethodDelete, "/"+plural+"/"+id, nil)
	if r.Spec().ReadOnly {
		p.expect(res, "delete", http.StatusMethodNotAllowed)
		return
	}
	got := p.expect(res, "delete", http.StatusOK)
	if want := p.oracles[i].remove(plural, id); got["deleted"] != want {
		p.t.Errorf("delete in %s: %v, want %v", plural, got, want)
	}
}

func (p *prover) get(i int, r rest.Resource, id string) {
	p.t.Helper()
	plural := r.Spec().Plural
	res := p.do(i, http.MethodGet, "/"+plural+"/"+id, nil)
	want := p.oracles[i].records[plural][id]
	if want == nil {
		p.expect(res, "get", http.StatusNotFound)
	} else if got := p.expect(res, "get", http.StatusOK); !reflect.DeepEqual(got, want) {
		p.t.Errorf("get of %s: %v, want %v", plural, got, want)
	}
}

func (p *prover) list(i int, r rest.Resource, limit, offset int) {
	p.t.Helper()
	plural := r.Spec().Plural
	got := p.expect(p.do(i, http.MethodGet, fmt.Sprintf("/%s?limit=%d&offset=%d", plural, limit, offset), nil), "list", http.StatusOK)
	ids := p.oracles[i].ids(plural)
	from := min(offset, len(ids))
	data := []any{}
	for _, id := range ids[from:min(from+limit, len(ids))] {
		data = append(data, map[string]any(p.oracles[i].records[plural][id]))
	}
	want := record{"data": data, "limit": json.Number(strconv.Itoa(limit)), "offset": json.Number(strconv.Itoa(offset)), "count": json.Number(strconv.Itoa(len(ids)))}
	if !reflect.DeepEqual(got, want) {
		p.t.Errorf("list of %s: %v, want %v", plural, got, want)
	}
}
