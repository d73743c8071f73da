package diff

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"records/internal/rest"
)

func TestValueFaults(t *testing.T) {
	t.Parallel()
	upper := func(s string) error {
		if s != "A" && s != "B" {
			return errors.New("must be A or B")
		}
		return nil
	}
	letter := func(s string) error { return fmt.Errorf("must not begin with %c", s[0]) }
	long := func(n int64) error {
		if n < int64(time.Hour) {
			return errors.New("must be an hour or more")
		}
		return nil
	}
	var code rest.Value[string]
	var effort rest.Value[time.Duration]
	var tags rest.Value[[]string]
	for _, c := range []struct {
		field    rest.Field
		fallback string
		want     string
	}{
		{rest.Text("code", &code, 0, upper).Example("A", "B"), `"B"`, "[]"},
		{rest.Text("code", &code, 0, upper).Example("A", "c"), "", `[the example "c" of code must be A or B: give valid ones by annotation.Examples("…")]`},
		{rest.Text("code", &code, 0, upper), `"c"`, `[the Default "c" of code must be A or B: give a valid one]`},
		{rest.Text("code", &code, 2).Example("long"), "", `[the example "long" of code must be at most 2 characters long: give valid ones by annotation.Examples("…")]`},
		{rest.Text("code", &code, 0, letter).Example("A"), "", `[code has a validator that panics on "": runtime error: index out of range [0] with length 0]`},
		{rest.Duration("effort", &effort, long).Example("PT2H"), `"PT1H"`, "[]"},
		{rest.Duration("effort", &effort, long).Example("PT2H"), `"PT1S"`, `[the Default "PT1S" of effort must be an hour or more: give a valid one]`},
		{rest.Texts("tags", &tags, func(all []string) error { return upper(all[0]) }).Example(`["A"]`), "", `[tags has a validator that panics on []: runtime error: index out of range [0] with length 0]`},
	} {
		if got := fmt.Sprint(valueFaults(c.field, c.fallback)); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
