package rest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestParsePage(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]Page{
		"":                                      {50, 0},
		"&":                                     {50, 0},
		"limit=1":                               {1, 0},
		"limit=200":                             {200, 0},
		"offset=0":                              {50, 0},
		"offset=7&limit=9":                      {9, 7},
		"l%69mit=%31%30":                        {10, 0},
		"offset=9223372036854775807":            {50, 1<<63 - 1},
		"limit=20&offset=4611686018427387904&&": {20, 1 << 62},
	} {
		if got, err := ParsePage(query); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", query, got, err, want)
		}
	}
}

func TestParsePageRefuses(t *testing.T) {
	t.Parallel()
	const (
		limit   = "limit must be an integer from 1 to 200."
		offset  = "offset must be an integer from 0 to 9223372036854775807."
		garbled = "The query string is not well-formed."
	)
	for query, want := range map[string]string{
		"limit=":                     limit,
		"limit":                      limit,
		"limit=0":                    limit,
		"limit=201":                  limit,
		"limit=-1":                   limit,
		"limit=%2B5":                 limit,
		"limit=+5":                   limit,
		"limit=007":                  limit,
		"limit=5.0":                  limit,
		"limit=5e1":                  limit,
		"limit=0x10":                 limit,
		"limit=1_0":                  limit,
		"limit=%D9%A5":               limit, // an Arabic-Indic five
		"limit=5%00":                 limit,
		"limit=ten":                  limit,
		"limit=18446744073709551617": limit, // 1 in 64 bits
		"offset=-0":                  offset,
		"offset=00":                  offset,
		"offset=9223372036854775808": offset,
		"offset=null":                offset,
		"offset=1%20":                offset,
		"limit=1&limit=1":            "limit is given more than once.",
		"offset=1&offset=2":          "offset is given more than once.",
		"limit=1;offset=2":           garbled,
		"limit=%zz":                  garbled,
		"=1":                         `"" is not a known query parameter; there are limit and offset.`,
		"Limit=1":                    `"Limit" is not a known query parameter; there are limit and offset.`,
		"cursor=%22":                 `"cursor" is not a known query parameter; there are limit and offset.`,
		"limit=x&b=1&a=1":            `"a" is not a known query parameter; there are limit and offset.`,
	} {
		_, err := ParsePage(query)
		if got := fault(t, err, CodeInvalidParameter); got != want {
			t.Errorf("%q: %q; want %q", query, got, want)
		}
	}
}

func TestNoQuery(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"", "&", "&&"} {
		if err := NoQuery(query); err != nil {
			t.Errorf("%q: %v", query, err)
		}
	}
	got := fault(t, NoQuery("limit=1"), CodeInvalidParameter)
	if want := `"limit" is not a known query parameter; this operation takes none.`; got != want {
		t.Errorf("%q; want %q", got, want)
	}
	fault(t, NoQuery("%"), CodeInvalidParameter)
}

func TestParametersAreQuotedShort(t *testing.T) {
	t.Parallel()
	got := fault(t, NoQuery(strings.Repeat("é%0a", 1000)), CodeInvalidParameter)
	if want := `"` + strings.Repeat(`é\n`, 32) + `…" is not a known query parameter; this operation takes none.`; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}

// A page that is accepted came from at most one limit and one offset, written
// as its numbers are.
func FuzzParsePage(f *testing.F) {
	for _, query := range []string{"", "limit=1&offset=2", "limit=0", "offset=9223372036854775808", "limit=+5", "l%69mit=7;", "a=%zz"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		page, err := ParsePage(query)
		if err != nil {
			if n := len(AsError(err).Message); n > 1<<10 {
				t.Errorf("a message of %d bytes", n)
			}
			return
		}
		if page.Limit < 1 || page.Limit > MaxLimit || page.Offset < 0 {
			t.Fatalf("accepted %v", page)
		}
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		for name, number := range map[string]int{"limit": page.Limit, "offset": page.Offset} {
			if all := values[name]; len(all) > 1 || (len(all) == 1 && all[0] != fmt.Sprint(number)) {
				t.Errorf("%s=%q became %d", name, all, number)
			}
			delete(values, name)
		}
		if len(values) > 0 {
			t.Errorf("accepted %v", values)
		}
	})
}
