package docs

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// varying are the parts of an answer that differ from run to run.
var varying = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "ID"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`), "TIME"},
	{regexp.MustCompile(`\b20\d{12}_`), "VERSION_"},
	{regexp.MustCompile(`wrk_\w+`), "KEY"},
}

func plain(s string) string {
	for _, v := range varying {
		s = v.pattern.ReplaceAllString(s, v.instead)
	}
	return s
}

// compare holds an answer against the block: a json block is the whole answer,
// of a text block each line is in it. What varies is left out.
func (s step) compare(answer string) error {
	got, want := plain(answer), plain(s.lines)
	if s.kind == "json" {
		return compareJSON(got, want)
	}
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "…" && !strings.Contains(got, line) {
			return fmt.Errorf("the answer lacks the line\n%s\nIt is:\n%s", line, got)
		}
	}
	return nil
}

func compareJSON(got, want string) error {
	var a, b any
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		return fmt.Errorf("%w in the answer %s", err, got)
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("the answer is\n%swant\n%s", got, want)
	}
	return nil
}
