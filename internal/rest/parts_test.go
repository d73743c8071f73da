package rest

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"records/internal/scalar"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	fields := new(sample).Fields()
	for name, want := range map[string]string{
		"nmae": "name", "Name": "name", "notes": "note", "amuont": "amount", "owner": "owner_id",
		"dueDate": "due_date", "paidAt": "paid_at", "ownerId": "owner_id", "": "name",
		"due_date" + strings.Repeat("x", 1000): "due_date",
	} {
		if got := nearest(name, fields); got != `"`+want+`"` {
			t.Errorf("nearest to %.20q is %s; want %q", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"ab", "ba", 2}, {"äö", "ao", 2}, {"flaw", "lawn", 2}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("from %q to %q it is %d; want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestDepth(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int{
		`1`: 0, `"[["`: 0, `"\"["`: 0, `"\\"`: 0, `[]`: 1, `{}`: 1, `[1,[2],[]]`: 2,
		`{"a":{"b":[{}]}}`: 4, `["]",[["\\"],"\"]"]]`: 3, `{"[":[],"{":"}"}`: 2,
	} {
		if got := depth(jsontext.Value(value)); got != want {
			t.Errorf("%s is %d deep; want %d", value, got, want)
		}
	}
}

func TestCheckMediaType(t *testing.T) {
	t.Parallel()
	types := []string{"application/json", "application/merge-patch+json"}
	for _, c := range []struct {
		header http.Header
		want   bool
	}{
		{http.Header{"Content-Type": {"application/json"}}, true},
		{http.Header{"Content-Type": {"Application/JSON ; charset=UTF-8"}}, true},
		{http.Header{"Content-Type": {`application/json; x="a;b"`}}, true},
		{http.Header{"Content-Type": {"application/merge-patch+json"}}, true},
		{http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity"}}, true},
		{http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {""}}, true},
		{http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, false},
		{http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity", "br"}}, false},
		{http.Header{"Content-Type": {"application/json", "application/json"}}, false},
		{http.Header{"Content-Type": {"application/json, text/plain"}}, false},
		{http.Header{"Content-Type": {"application/json; charset"}}, false},
		{http.Header{"Content-Type": {"application/jsonx"}}, false},
		{http.Header{"Content-Type": {"text/json"}}, false},
		{http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, false},
		{http.Header{"Content-Type": {""}}, false},
		{http.Header{}, false},
	} {
		err := checkMediaType(c.header, types)
		if c.want && err != nil || !c.want && (err == nil || AsError(err).Status != http.StatusUnsupportedMediaType) {
			t.Errorf("%v: %v; want it accepted: %t", c.header, err, c.want)
		}
	}
	if err := checkMediaType(http.Header{"Content-Type": {"application/merge-patch+json"}}, types[:1]); err == nil {
		t.Error("a merge patch is accepted where it is not among the types")
	}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 2, 3, 4, 5, 6, 7_900_000, time.FixedZone("", 3600))
	date, err := scalar.ParseDate("2024-02-29")
	if err != nil {
		t.Fatal(err)
	}
	decimal, err := scalar.ParseDecimal("-0.50")
	if err != nil {
		t.Fatal(err)
	}
	empty := ""
	for want, got := range map[string][]byte{
		`x"a<>&\"\\\n\u0000` + "\u2028" + `"`:    AppendText([]byte("x"), "a<>&\"\\\n\x00\u2028"),
		"\"\ufffd\"":                             AppendText(nil, "\xff"),
		`null`:                                   AppendNullable(nil, (*string)(nil), AppendText),
		`""`:                                     AppendNullable(nil, &empty, AppendText),
		`"0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7b"`: AppendUUID(nil, uuid.MustParse("0199F2AB-7C3D-7E4F-8A1B-2C3D4E5F6A7B")),
		`"2024-02-29"`:                           AppendDate(nil, date),
		`"2026-02-03T03:05:06.007Z"`:             AppendTimestamp(nil, at),
		`-0.5`:                                   AppendDecimal(nil, decimal),
		`-12`:                                    appendInt(nil, -12),
		`{"error":"a","message":"b\"c."}`:        appendError(nil, BadRequest("a", `b"c.`)),
		`{"id":"a\"b","deleted":false}`:          appendDeleted(nil, `a"b`, false),
		`{"id":"","deleted":true}`:               appendDeleted(nil, "", true),
		`{"data":[],"limit":50,"offset":0,"count":0}`:                                               pageOf(nil, Page{50, 0}, 0),
		`{"data":["a","b"],"limit":2,"offset":1,"count":9}`:                                         pageOf([]string{"a", "b"}, Page{2, 1}, 9),
		`{"id":"","created_at":"2026-02-03T03:05:06.007Z","updated_at":"2026-02-03T03:05:06.007Z"}`: AppendTimestamps([]byte(`{"id":""`), at, at),
	} {
		if string(got) != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}

func TestIsNumber(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"0", "-0", "12.50", "1e3", "1E+3", "-1.5e-2", "01", "+1", "1.", ".5", "", " 1", "1 ", "0x1", "NaN", "1,5", "null", `"1"`, "[1]"} {
		var n json.Number
		want := s != "" && strings.TrimSpace(s) == s && json.Unmarshal([]byte(s), &n) == nil && s != "null" && s[0] != '"'
		if got := IsNumber(s); got != want {
			t.Errorf("IsNumber(%q) = %t", s, got)
		}
	}
}

// One large record, which comes first, has no room set aside for others like it.
func TestPageTakesNoMoreThanItNeeds(t *testing.T) {
	t.Parallel()
	records := make([]string, 200)
	records[0] = strings.Repeat("a", 1<<20)
	b := pageOf(records, Page{200, 0}, 200)
	if cap(b) > 2*len(b) {
		t.Errorf("%d bytes for a page of %d", cap(b), len(b))
	}
	if size := sizeOf(records, AppendText); size < len(b) || size > len(b)+100 {
		t.Errorf("a page of %d bytes is measured as %d", len(b), size)
	}
	if _, whole := appendList(nil, records, Page{200, 0}, 200, AppendText, 1<<20); whole {
		t.Error("it is longer than it may be")
	}
}

func pageOf(records []string, page Page, count int) []byte {
	b, _ := appendList(nil, records, page, count, AppendText, math.MaxInt)
	return b
}
