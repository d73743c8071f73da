package rest_test

import (
	"math"
	"testing"

	"records/internal/rest"
)

type colour string

// literals has a field of every kind that is no text.
type literals struct {
	flag  rest.Value[bool]
	small rest.Value[int8]
	big   rest.Value[int64]
	count rest.Value[uint16]
	ratio rest.Value[float64]
	rough rest.Value[float32]
	paint rest.Value[colour]
}

func (in *literals) Fields() []rest.Field {
	return []rest.Field{
		rest.Bool("flag", &in.flag),
		rest.Integer("small", &in.small),
		rest.Integer("big", &in.big),
		rest.Integer("count", &in.count),
		rest.Float("ratio", &in.ratio),
		rest.Float("rough", &in.rough),
		rest.Enum("paint", &in.paint, "red", "blue"),
	}
}

func TestLiterals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, fault string }{
		{`{"flag":true,"small":-128,"big":9223372036854775807,"count":32767,"ratio":0.1,"rough":0.1,"paint":"red"}`, ""},
		{`{"flag":false,"small":127,"big":-9223372036854775808,"count":0,"ratio":1e308,"rough":-0,"paint":"blue"}`, ""},
		{`{"flag":null,"small":null,"big":null,"count":null,"ratio":null,"rough":null,"paint":null}`, ""},
		{`{"flag":"true"}`, "flag must be true or false."},
		{`{"flag":0}`, "flag must be true or false."},
		{`{"small":128}`, "small must be an integer from -128 to 127."},
		{`{"small":1.0}`, "small must be an integer."},
		{`{"small":1e2}`, "small must be an integer."},
		{`{"small":"1"}`, "small must be an integer."},
		{`{"big":9223372036854775808}`, "big must be an integer from -9223372036854775808 to 9223372036854775807."},
		{`{"count":-1}`, "count must be an integer from 0 to 32767."},
		{`{"count":32768}`, "count must be an integer from 0 to 32767."},
		{`{"ratio":1e309}`, "ratio is too large a number."},
		{`{"rough":1e39}`, "rough is too large a number."},
		{`{"ratio":"1"}`, "ratio must be a number."},
		{`{"paint":"RED"}`, `paint must be one of "red", "blue".`},
		{`{"paint":1}`, "paint must be a string."},
	} {
		_, err := rest.Decode([]byte(c.body), &literals{}, true)
		switch {
		case c.fault == "" && err != nil:
			t.Errorf("%s: %v", c.body, err)
		case c.fault != "" && (err == nil || rest.AsError(err).Message != c.fault):
			t.Errorf("%s: got %v, want %s", c.body, err, c.fault)
		}
	}
}

func TestAppendLiterals(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		string(rest.AppendBool(nil, true)):                              "true",
		string(rest.AppendInteger(nil, int64(math.MinInt64))):           "-9223372036854775808",
		string(rest.AppendFloat(nil, 0.1)):                              "0.1",
		string(rest.AppendFloat(nil, float32(0.1))):                     "0.1",
		string(rest.AppendFloat(nil, 1e21)):                             "1e+21",
		string(rest.AppendFloat(nil, 123456789.5)):                      "123456789.5",
		string(rest.AppendFloat(nil, 0.0)):                              "0",
		string(rest.AppendEnum(nil, colour(`"`))):                       `"\""`,
		string(rest.AppendNullable(nil, new(int8), rest.AppendInteger)): "0",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
