package migrate

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pressly/goose/v3"

	"records/internal/database"
	"records/migrate/script"
)

// Failure is a migration that could not be applied.
type Failure struct {
	Migration string            // the file's name
	Statement *script.Statement // nil where it was none of the file's
	Holder    string            // who held what it waited for, "" if that is not known
	Left      string            // what it leaves behind
	Final     bool              // it is not tried again by itself
	Cause     error
}

func (f *Failure) Error() string {
	at := f.Migration
	if f.Statement != nil {
		at = fmt.Sprintf("%s: statement %d (line %d: %s)", f.Migration, f.Statement.Number, f.Statement.Line, f.Statement.First())
	}
	said := database.Sentence(f.Cause)
	if rule := database.BrokenCheck(f.Cause); rule != "" {
		said += fmt.Sprintf("; there is a record that breaks the rule %q: look for such records, change them, and run it again", rule)
	}
	if database.IsUniqueViolation(f.Cause) {
		said += "; there are records that have the same in what no two may have alike: look for such records, change them, and run it again"
	}
	if database.IsForeignKeyViolation(f.Cause) {
		said += "; " + referToNone
	}
	if f.Holder != "" {
		said += "; " + f.Holder
	}
	return at + ": " + said + ". " + f.Left
}

// referToNone says what to do where a migration makes a reference of an id, and some
// name no record.
const referToNone = "there are records that refer to none: look for such records, clear or change what refers to none, and run it again"

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Cause }

// What a failed migration leaves behind.
const (
	leftNothing = "Nothing of this migration was kept"
	leftPerhaps = "It runs outside of a transaction and may be done in part; the next `records migrate up` looks and repairs it"
	leftUnknown = "Whether this migration was kept is not known; `records migrate status` tells, and the next `records migrate up` goes on from there"
)

// asFailure returns the *Failure in an error of goose's, or makes one of what
// failed around the statements: the begin, the commit, the table of versions.
func asFailure(err error, known []migration) error {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	partial, ok := errors.AsType[*goose.PartialError](err)
	if !ok {
		return fmt.Errorf("migrate: %w", err)
	}
	f := &Failure{Left: leftNothing, Cause: partial.Err}
	for _, m := range known {
		if m.Version == partial.Failed.Source.Version {
			f.Migration = m.Name
		}
	}
	if database.IsUnavailable(err) && !heldUp(err) {
		f.Left = leftUnknown
	}
	return f
}

// heldUp reports whether others held what was needed for too long.
func heldUp(err error) bool {
	_, waited := errors.AsType[*waitedError](err)
	return waited || database.IsHeldUp(err)
}

// explain adds what was applied before the failure.
func explain(err error, applied []string) error {
	if len(applied) == 0 {
		return err
	}
	return fmt.Errorf("%w; applied before it: %s", err, strings.Join(applied, ", "))
}

// The pauses between two tries.
const (
	firstPause = 500 * time.Millisecond
	mostPause  = 10 * time.Second
)

// backoff gives growing pauses until patience with one migration is at its end.
type backoff struct {
	patience time.Duration
	since    time.Time
	tries    int
	pause    time.Duration
	applied  int
}

// next returns the pause before the next try. applied tells one migration from
// another: each has the whole of patience.
func (b *backoff) next(applied int) (time.Duration, bool) {
	if b.tries == 0 || applied != b.applied {
		*b = backoff{patience: b.patience, since: time.Now(), applied: applied}
	}
	b.tries++
	b.pause = min(max(2*b.pause, firstPause), mostPause)
	return b.pause, b.spent()+b.pause < b.patience
}

// spent is the time since the first try failed.
func (b *backoff) spent() time.Duration { return time.Since(b.since).Round(time.Second / 10) }
