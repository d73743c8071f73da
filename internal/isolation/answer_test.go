package isolation

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"reflect"
	"strings"

	"records/internal/rest"
	"records/internal/scalar"
	"records/internal/servertest"
)

// do sends a request and looks for what must never be in an answer: anything
// that carries another tenant's canary, or is it.
func (p *prover) do(i int, method, path string, body any) servertest.Response {
	p.t.Helper()
	res := p.tenants[i].Do(method, path, body)
	text := strings.ToLower(fmt.Sprint(res.Header) + string(res.Body))
	for j, other := range p.tenants {
		if j != i && (strings.Contains(text, other.canary) || strings.Contains(text, other.id.String())) {
			p.t.Errorf("%s %s by %s: holds something of %s: %s", method, path, p.tenants[i].canary, other.canary, res.Body)
		}
	}
	return res
}

// expect fails unless an answer has the status, and returns it decoded.
func (p *prover) expect(res servertest.Response, what string, status int) record {
	p.t.Helper()
	if res.Status != status {
		p.t.Errorf("%s: %d %s, want %d", what, res.Status, res.Body, status)
	}
	if len(res.Body) == 0 {
		return nil
	}
	return res.JSON(p.t)
}

// refused fails unless an answer refuses exactly these references.
func (p *prover) refused(res servertest.Response, bad []string) {
	p.t.Helper()
	got := p.expect(res, "references", http.StatusBadRequest)
	if message, _ := got["message"].(string); got["error"] != rest.CodeInvalidReference || !strings.HasPrefix(message, strings.Join(bad, ", ")+" ") {
		p.t.Errorf("%v, want %v named", got, bad)
	}
}

// written fails unless a record shows what a body gave it.
func (p *prover) written(r rest.Resource, got record, body map[string]any) {
	p.t.Helper()
	for _, f := range r.Fields() {
		value, given := body[f.Name]
		if _, shown := got[f.Name]; shown == f.WriteOnly || given && shown && !same(got[f.Name], value) {
			p.t.Errorf("%s is %v, want %v", f.Name, got[f.Name], value)
		}
	}
}

// frozen fails unless an answer says of exactly these fields that they cannot
// be changed.
func (p *prover) frozen(res servertest.Response, names []string) {
	p.t.Helper()
	got := p.expect(res, "immutable fields", http.StatusBadRequest)
	if got["error"] != rest.CodeValidationFailed || got["message"] != strings.Join(names, ", ")+" cannot be changed." {
		p.t.Errorf("%v, want %v named", got, names)
	}
}

// same compares what came back with what was sent: a moment, a duration or a
// number may be written in another form.
func same(got, sent any) bool { return reflect.DeepEqual(plainest(got), plainest(sent)) }

// plainest is a value with everything in it in one form.
func plainest(v any) any {
	switch v := v.(type) {
	case string:
		if at, err := scalar.ParseTimestamp(v); err == nil {
			return string(scalar.AppendTimestamp(nil, at))
		}
		if d, err := scalar.ParseDuration(v); err == nil {
			return d.String()
		}
	case json.Number:
		if n, ok := new(big.Rat).SetString(v.String()); ok {
			return n.String()
		}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plainest(v[i])
		}
		return list
	case map[string]any:
		members := map[string]any{}
		for name := range v {
			members[name] = plainest(v[name])
		}
		return members
	}
	return v
}
