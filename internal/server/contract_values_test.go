package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What goes in comes back, character by character; and how it is written where
// JSON leaves a choice.
func TestTextIsKept(t *testing.T) {
	texts := map[string]string{ // as sent, as answered
		`"  padded \t"`:                                     `"  padded \t"`,
		`"caf\u00e9 cafe\u0301"`:                            "\"caf\u00e9 cafe\u0301\"",
		"\"\u212b \ufb01 \u1e9b\u0323\"":                    "\"\u212b \ufb01 \u1e9b\u0323\"",
		`"<b>&amp;</b> \u003c\u0026"`:                       `"<b>&amp;</b> <&"`,
		`"\u0645\u0631\u062d\u0628\u0627\u202e abc \u202c"`: "\"\u0645\u0631\u062d\u0628\u0627\u202e abc \u202c\"",
		`"\ud83d\ude00 👩‍👩‍👧 🇩🇪"`:                           `"😀 👩‍👩‍👧 🇩🇪"`,
		`"a\u2028\u2029"`:                                   "\"a\u2028\u2029\"",
		`"\"quoted\" 'single' \\ \/"`:                       `"\"quoted\" 'single' \\ /"`,
		`"\u0001\u0008\u000c\u001f\u007f"`:                  "\"\\u0001\\b\\f\\u001f\u007f\"",
		`"a\r\n\tb"`:                                        `"a\r\n\tb"`,
		`"%s %00 $1 ? :a ' ; -- \\x00"`:                     `"%s %00 $1 ? :a ' ; -- \\x00"`,
		"\"\ufeff\ufffd\uffff\U0010ffff\"":                  "\"\ufeff\ufffd\uffff\U0010ffff\"",
		`"\ufffd\u0080"`:                                    "\"\ufffd\u0080\"",
		`"null"`:                                            `"null"`,
		`"İıß"`:                                             `"İıß"`,
	}
	onEach(t, func(t *testing.T, s service) {
		for sent, want := range texts {
			r := s.write.Do("POST", "/tasks", `{"name":`+sent+`,"description":`+sent+`,"status":`+sent+`}`)
			if r.Status != 201 || field(t, r, "name") != want || field(t, r, "description") != want || field(t, r, "status") != want {
				t.Errorf("%s: %d %s", sent, r.Status, r.Body)
			}
			wantBody(t, sent, s.read.Do("GET", "/tasks/"+r.ID(t), nil), 200, string(r.Body))
		}
		r := s.write.Do("POST", "/tasks", `{"name":"a","status":"","priority":"","description":""}`)
		if r.Status != 201 || field(t, r, "status") != `""` || field(t, r, "priority") != `""` || field(t, r, "description") != `""` {
			t.Errorf("empty strings: %d %s", r.Status, r.Body)
		}
		r = s.write.Do("POST", "/tasks", `{"name":"a","status":" ","description":"\u00a0"}`)
		if r.Status != 201 || field(t, r, "status") != `" "` || field(t, r, "description") != "\"\u00a0\"" {
			t.Errorf("blank strings: %d %s", r.Status, r.Body)
		}
	})
}

// Text that is refused, and with which code.
func TestTextIsRefused(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", map[string]any{"name": "a"})
		for value, code := range map[string]string{
			`"a\u0000b"`: "validation_failed", `"\u0000"`: "validation_failed",
			`"\ud800"`: "invalid_json", `"a\udc00"`: "invalid_json", `"\ud800\ud800"`: "invalid_json", `"\ude00\ud83d"`: "invalid_json", `"\ud83dx"`: "invalid_json",
			"\"\xff\"": "invalid_json", "\"a\xc3\"": "invalid_json", "\"\xed\xa0\x80\"": "invalid_json", "\"\xc0\x80\"": "invalid_json", "\"\xf4\x90\x80\x80\"": "invalid_json",
			"\"a\x00b\"": "invalid_json", "\"a\nb\"": "invalid_json", "\"\x1f\"": "invalid_json", `"\x41"`: "invalid_json", `"\u00g0"`: "invalid_json", `'a'`: "invalid_json",
			`7`: "validation_failed", `true`: "validation_failed", `["a"]`: "validation_failed", `{"a":"b"}`: "validation_failed",
		} {
			for _, name := range []string{"name", "status", "description"} {
				body := fmt.Sprintf(`{%q:%s}`, name, value)
				wantError(t, body, s.write.Do("PATCH", "/tasks/"+id, body), 400, code)
			}
			wantError(t, value, s.write.Do("POST", "/tasks", `{"name":`+value+`}`), 400, code)
			if code == "invalid_json" { // also where the value or the name is not of interest
				wantError(t, value, s.write.Do("PATCH", "/tasks/"+id, `{"id":`+value+`}`), 400, code)
				wantError(t, value, s.write.Do("PATCH", "/tasks/"+id, `{"created_at":[{"a":`+value+`}]}`), 400, code)
				wantError(t, value, s.write.Do("PATCH", "/tasks/"+id, `{`+value+`:1}`), 400, code)
			}
		}
		if l := readList(t, s.read.Do("GET", "/tasks", nil)); l.Count != 1 {
			t.Errorf("%d records, want 1", l.Count)
		}
	})
}

// limits are the most Unicode characters of each field.
var limits = []struct {
	plural string
	fields map[string]int
}{
	{"tasks", map[string]int{"name": 255, "status": 64, "priority": 64, "description": 65536}},
	{"deals", map[string]int{"title": 255, "stage": 64}},
	{"contacts", map[string]int{"name": 255, "phone": 64}},
	{"projects", map[string]int{"name": 255, "status": 64, "description": 65536}},
	{"companies", map[string]int{"name": 255, "domain": 253, "industry": 255, "website": 255, "address": 255, "phone": 64}},
}

func TestLengths(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		for _, resource := range limits {
			for name, most := range resource.fields {
				id := s.write.Create(resource.plural, smallest(resource.plural))
				characters := []string{"a", "é", "😀", "\u0301"}
				if most > 1000 {
					characters = characters[1:3]
				}
				for _, character := range characters {
					fits, tooLong := strings.Repeat(character, most), strings.Repeat(character, most)+"a"
					r := s.write.Do("PATCH", "/"+resource.plural+"/"+id, map[string]any{name: fits})
					var got string
					if err := json.Unmarshal([]byte(field(t, r, name)), &got); err != nil || r.Status != 200 || got != fits {
						t.Errorf("%s.%s: %d of %q: %d", resource.plural, name, most, character, r.Status)
					}
					r = s.write.Do("PATCH", "/"+resource.plural+"/"+id, map[string]any{name: tooLong})
					wantError(t, name, r, 400, "validation_failed", name, fmt.Sprint(most))
				}
			}
		}
	})
}
