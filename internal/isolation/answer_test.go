package isolation

import (
	"encoding/json"
	"fmt"
	"net/http"
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

// written fails unless a record has the texts and references of a body.
func (p *prover) written(got record, body map[string]any) {
	p.t.Helper()
	for name, value := range body {
		if _, isNumber := value.(json.Number); !isNumber && !same(got[name], value) {
			p.t.Errorf("%s is %v, want %v", name, got[name], value)
		}
	}
}

// same compares what came back with what was sent: a moment may be written in
// another form.
func same(got, sent any) bool {
	if fmt.Sprint(got) == fmt.Sprint(sent) {
		return true
	}
	a, errA := scalar.ParseTimestamp(fmt.Sprint(got))
	b, errB := scalar.ParseTimestamp(fmt.Sprint(sent))
	return errA == nil && errB == nil && a.Equal(b)
}
