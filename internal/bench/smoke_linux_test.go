package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// The whole harness, on both databases, as small as it gets: both programs answer
// every operation, and their counts are right in the end. What it measures is not
// looked at.
func TestSmoke(t *testing.T) {
	p := full
	p.sizes, p.smalls, p.connections, p.rounds, p.round = []int{small, 200}, 20, []int{2}, 2, 20*time.Millisecond
	var out bytes.Buffer
	if err := run(p, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, operation := range full.operations {
		if n := strings.Count(text, "\n"+operation+"  "); n < 2 {
			t.Errorf("%q is measured %d times:\n%s", operation, n, text)
		}
	}
	if strings.Count(text, ", baseline ") != 2 {
		t.Errorf("the memory of both is not told:\n%s", text)
	}
}
