package rest_test

import (
	"errors"
	"testing"

	"records/internal/rest"
)

// held is a body whose fields have validators that speak as Ent's do.
type held struct {
	told, untold, short, long, form, own rest.Value[string]

	few   rest.Value[int8]
	any   rest.Value[int8]
	share rest.Value[float64]
}

func refusing(words string) func(string) error {
	return func(string) error { return errors.New(words) }
}

func (in *held) Fields() []rest.Field {
	return []rest.Field{
		rest.Text("told", &in.told, 9, refusing("value out of range")).Limit(rest.TooShort, "must be long").Limit(rest.OutOfRange, "must be from 1 to 3"),
		rest.Text("untold", &in.untold, 9, refusing("value out of range")),
		rest.Text("short", &in.short, 9, refusing("value is less than the required rune length")),
		rest.Text("long", &in.long, 9, refusing("value is greater than the required length")),
		rest.Text("form", &in.form, 9, refusing("value does not match validation")).Limit(rest.Mismatch, "must match the pattern a"),
		rest.Text("own", &in.own, 9, refusing("must rhyme")).Limit(rest.OutOfRange, "must be from 1 to 3"),
		rest.Integer("few", &in.few).Limit(rest.Mismatch, "must match").Limit(rest.OutOfRange, "must be from 1 to 3"),
		rest.Integer("any", &in.any).Limit(rest.Mismatch, "must match"),
		rest.Float("share", &in.share).Limit(rest.OutOfRange, "must be from 0 to 1"),
	}
}

// Ent's own validators speak to developers; a client is told the limit, or at least
// what is wrong. Those of the schema speak for themselves.
func TestEntsOwnValidators(t *testing.T) {
	t.Parallel()
	_, err := rest.Decode([]byte(`{"told":"a","untold":"a","short":"a","long":"a","form":"a","own":"a","few":128,"any":128,"share":1e400}`), new(held), false)
	const want = "told must be from 1 to 3; untold is out of the range that is allowed; short is too short; long is too long; form must match the pattern a; own must rhyme; " +
		"few must be from 1 to 3; any must be an integer from -128 to 127; share must be from 0 to 1."
	if err == nil || rest.AsError(err).Message != want {
		t.Errorf("%v; want %s", err, want)
	}
}
