package config

import (
	"fmt"
	"strconv"
	"strings"
)

// listText is a YAML list as it would be written in a flag.
func listText(items []any) (string, bool) {
	texts := make([]string, len(items))
	for i, item := range items {
		text, ok := scalarText(item)
		if !ok {
			return "", false
		}
		texts[i] = text
	}
	return strings.Join(texts, ","), true
}

// scalarText is a YAML value as it would be written in a flag. A number counts
// in any notation of YAML; lists, mappings and dates have no such form.
func scalarText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool, int, int64, uint64:
		return fmt.Sprint(v), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return "", false
}
