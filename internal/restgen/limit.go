package restgen

import (
	"fmt"
	"strconv"
	"time"

	"records/internal/scalar"
)

// limit is what a client is told of a value that Ent's own validators refuse: the
// constant of internal/rest that says which they are, and the words.
type limit struct{ About, Words string }

// length says how long a text must be at least, "" where it need not be.
func (f fieldModel) length() string {
	switch {
	case f.Kind != text || f.Bounds.EntLength == 0:
		return ""
	case f.Bounds.EntLength == 1:
		return "must not be empty"
	}
	return fmt.Sprintf("must be at least %d characters long", f.Bounds.EntLength)
}

// span says between which values a number or a duration must be, "" where its
// validators set none.
func (f fieldModel) span() string {
	low, high := f.shown(f.Bounds.Min), f.shown(f.Bounds.Max)
	switch {
	case low != "" && high != "":
		return "must be from " + low + " to " + high
	case low != "":
		return "must be at least " + low
	case high != "":
		return "must be at most " + high
	}
	return ""
}

// shown is a bound as a client would write it. Those of a duration count
// nanoseconds.
func (f fieldModel) shown(bound string) string {
	n, err := strconv.ParseInt(bound, 10, 64)
	if f.Kind != duration || err != nil {
		return bound
	}
	return string(scalar.AppendDuration(nil, time.Duration(n)))
}
