package rest

import (
	"errors"
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

// of takes up what is wrong with a field's value, or with parts of it.
func (f *faults) of(name string, err error) {
	var parts *partFaults
	if !errors.As(err, &parts) {
		f.add(func() string { return name + " " + err.Error() })
		return
	}
	for _, p := range parts.told {
		f.add(func() string { return name + p.place + " " + p.err.Error() })
	}
	f.more += parts.more
}

// partFaults are what is wrong with parts of one value: elements of a list, or
// what stands somewhere in an object.
type partFaults struct {
	told []partFault
	more int // faults that are only counted
}

type partFault struct {
	place string // behind the field's name: [2]
	err   error
}

// Error implements error.
func (p *partFaults) Error() string { return fmt.Sprintf("%d faults", len(p.told)+p.more) }

// add takes up a fault of the part at a place, which is only put into words if
// there is room for them.
func (p *partFaults) add(place func() string, err error) {
	if len(p.told) == maxFaults {
		p.more++
		return
	}
	p.told = append(p.told, partFault{place(), err})
}

// err is nil where there is no fault.
func (p *partFaults) err() error {
	if len(p.told) == 0 {
		return nil
	}
	return p
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
