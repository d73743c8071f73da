package described

import (
	"fmt"
	"strings"
	"testing"
)

// The parameters of a list take what the description allows, to the limit, and
// nothing beyond it.
func TestParameters(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		who := w.tenant(t)
		for _, r := range w.all {
			list := w.of(t, r.Spec().Plural)["list"]
			if len(list.Parameters) != 2 {
				t.Errorf("%s has %d parameters", list.path, len(list.Parameters))
			}
			for _, p := range list.Parameters {
				p = w.Components.Parameters[strings.TrimPrefix(p.Ref, "#/components/parameters/")]
				for value, status := range map[any]int{
					p.Schema.Minimum: 200, p.Schema.Maximum: 200,
					beyond(p.Schema.Minimum, -1): 400, beyond(p.Schema.Maximum, 1): 400, "": 400, "x": 400,
				} {
					query := fmt.Sprintf("?%s=%v", p.Name, value)
					if answer := who.read.Do("GET", list.path+query, nil); answer.Status != status {
						t.Errorf("%s%s: %d %s, want %d", list.path, query, answer.Status, answer.Body, status)
					}
				}
			}
		}
	})
}
