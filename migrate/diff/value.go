package diff

import (
	"errors"
	"fmt"

	"records/internal/load"
	"records/internal/rest"
)

// valueFaults finds values of a schema which its own validators refuse: examples,
// of which the demo and the description are made, and the default, in JSON, ""
// for none. Ent itself looks at a default when a record is created.
func valueFaults(f rest.Field, fallback string) (faults []error) {
	for _, raw := range probes {
		if _, err := parsed(f, []byte(raw)); errors.As(err, new(panicked)) {
			return []error{fmt.Errorf("%s %w", f.Name, err)}
		}
	}
	for _, example := range f.Examples {
		if _, err := parsed(f, load.Cell(f, example)); err != nil {
			faults = append(faults, fmt.Errorf("the example %q of %s %w: give valid ones by annotation.Examples(\"…\")", example, f.Name, err))
		}
	}
	if fallback == "" {
		return faults
	}
	if _, err := parsed(f, []byte(fallback)); err != nil {
		faults = append(faults, fmt.Errorf("the Default %s of %s %w: give a valid one", fallback, f.Name, err))
	}
	return faults
}

// probes are values that a validator may not expect.
var probes = []string{`""`, `" "`, `"é"`, `0`, `-1`, `0.5`, `[]`, `[""]`, `[0]`, `{}`, `"0001-01-01"`, `"PT0S"`}

// panicked is that a validator panicked.
type panicked struct{ value, cause any }

func (p panicked) Error() string {
	return fmt.Sprintf("has a validator that panics on %s: %v", p.value, p.cause)
}

// parsed is what a field makes of JSON.
func parsed(f rest.Field, raw []byte) (value any, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicked{string(raw), cause}
		}
	}()
	return f.Parse(raw)
}
