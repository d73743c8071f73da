package hostile

import (
	"encoding/json"
	"math/big"
	"reflect"

	"records/internal/scalar"
)

// Same compares what came back with what was sent: a moment, a duration or a
// number may be written in another form. Numbers are json.Number.
func Same(got, sent any) bool { return reflect.DeepEqual(plainest(got), plainest(sent)) }

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
