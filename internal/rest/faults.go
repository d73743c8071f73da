package rest

import (
	"fmt"
	"strings"
)

// maxFaults and maxTold bound the faults that one message names, by number and
// by bytes, so that a body of nothing but faults does not come back as a larger
// one.
const (
	maxFaults = 50
	maxTold   = 4 << 10
)

// faults collects what is wrong with a body.
type faults struct {
	told  []string
	bytes int // of what is told
	more  int // faults that are only counted
}

// add takes up a fault. Its words are only made if there is room for them.
func (f *faults) add(words func() string) {
	if len(f.told) == maxFaults || f.bytes >= maxTold {
		f.more++
		return
	}
	f.told = append(f.told, words())
	f.bytes += len(f.told[len(f.told)-1])
}

// err joins the faults into one error with the code, or returns nil.
func (f *faults) err(code string) error {
	if len(f.told) == 0 {
		return nil
	}
	if f.more > 0 {
		f.told = append(f.told, fmt.Sprintf("and %d more", f.more))
	}
	return BadRequest(code, strings.Join(f.told, "; ")+".")
}
