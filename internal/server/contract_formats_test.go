package server_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestDecimals(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		for sent, want := range map[string]string{
			"0": "0", "-0": "0", "0.0": "0", "-0.0000": "0", "0.1": "0.1", "1e3": "1000", "1E+3": "1000", "1.10000": "1.1", "10": "10", "-12.5": "-12.5",
			"999999999999999.9999": "999999999999999.9999", "-999999999999999.9999": "-999999999999999.9999",
			"0.0001": "0.0001", "1e-4": "0.0001", "0.00010000000": "0.0001", "1e14": "100000000000000", "100000e-5": "1",
			"0e99999999": "0", "0e-99999999": "0", "-0e999999999999999999999": "0", "0.1e15": "100000000000000", "0.30000000000000000000": "0.3",
			"123456789012345.6789": "123456789012345.6789", "9007199254740993": "", "900719925474099.3": "900719925474099.3",
			"1e15": "", "1e999999999": "", "1e-999999999": "", "1e99999999999999999999999": "", "0.00001": "", "1e-5": "", "1000000000000000": "", "1.00001": "", "999999999999999.99999": "",
			`"0.1"`: "", `"abc"`: "", `""`: "", "true": "", "[1]": "", "{}": "",
		} {
			r := s.write.Do("POST", "/deals", `{"title":"a","value":`+sent+`}`)
			if want == "" {
				wantError(t, sent, r, 400, "validation_failed", "value")
				continue
			}
			if r.Status != 201 || field(t, r, "value") != want {
				t.Errorf("%s: %d %s, want %s", sent, r.Status, r.Body, want)
				continue
			}
			wantBody(t, sent, s.read.Do("GET", "/deals/"+r.ID(t), nil), 200, string(r.Body))
			again := s.write.Do("PATCH", "/deals/"+r.ID(t), string(r.Body)) // what was fetched can be sent back
			if again.Status != 200 || field(t, again, "value") != want {
				t.Errorf("%s sent back: %d %s", want, again.Status, again.Body)
			}
		}
		for _, sent := range []string{"+1", "01", "1.", ".5", "1e", "NaN", "Infinity", "-Infinity", "-", "0x10", "1_000", "1,5", "--1", "١"} {
			wantError(t, sent, s.write.Do("POST", "/deals", `{"title":"a","value":`+sent+`}`), 400, "invalid_json")
		}
	})
}

// An exponent or a run of digits of any size is judged at once.
func TestDecimalOfAnySize(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		start := time.Now()
		digits := strings.Repeat("9", 900_000)
		for _, sent := range []string{digits, "1e" + digits, "1e-" + digits, "0." + digits, "-" + digits + "e-" + digits} {
			wantError(t, sent[:20], s.write.Do("POST", "/deals", `{"title":"a","value":`+sent[:min(len(sent), 1_000_000)]+`}`), 400, "validation_failed", "value")
		}
		r := s.write.Do("POST", "/deals", `{"title":"a","value":0.1`+strings.Repeat("0", 900_000)+`e1}`)
		if r.Status != 201 || field(t, r, "value") != "1" {
			t.Errorf("%d %s", r.Status, r.Body)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

func TestDates(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		for sent, ok := range map[string]bool{
			"2026-01-31": true, "2024-02-29": true, "0001-01-01": true, "9999-12-31": true, "1582-10-10": true, "2000-02-29": true,
			"2026-02-29": false, "1900-02-29": false, "2026-02-30": false, "2026-04-31": false, "2026-13-01": false, "2026-00-10": false, "2026-01-00": false, "0000-01-01": false,
			"2026-1-31": false, "26-01-31": false, "2026/01/31": false, "20260131": false, "2026-01-31T00:00:00Z": false, "2026-01-31 ": false, " 2026-01-31": false,
			"-2026-01-31": false, "12026-01-31": false, "today": false, "infinity": false, "": false, "２026-01-31": false, "2026-W05-6": false, "2026-01-3\u0661": false, "2026-01-31\x00": false,
		} {
			r := s.write.Do("POST", "/tasks", `{"name":"a","due_date":`+quote(sent)+`}`)
			if !ok {
				wantError(t, sent, r, 400, "validation_failed", "due_date")
			} else if r.Status != 201 || field(t, r, "due_date") != quote(sent) {
				t.Errorf("%q: %d %s", sent, r.Status, r.Body)
			} else {
				wantBody(t, sent, s.read.Do("GET", "/tasks/"+r.ID(t), nil), 200, string(r.Body))
			}
		}
		for _, sent := range []string{"20260131", "0", "false", "[]", "{}"} {
			wantError(t, sent, s.write.Do("POST", "/projects", `{"name":"a","start_date":`+sent+`}`), 400, "validation_failed", "start_date")
		}
	})
}

func TestUUIDs(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		for _, sent := range []string{
			"", "x", "f81d4fae7dec11d0a76500a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
			"f81d4fae-7dec-11d0-a765-00a0c91e6bf", "f81d4fae-7dec-11d0-a765-00a0c91e6bf66", "f81d4fae-7dec-11d0-a765-00a0c91e6bfg", " f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
			"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\n", "f81d4fae_7dec_11d0_a765_00a0c91e6bf6", "f81d4fae-7dec-11d0-a76500-a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6b\u0661",
		} {
			body := fmt.Sprintf(`{"name":"a","assignee_id":%s,"project_id":%s}`, quote(sent), quote(sent))
			wantError(t, body, s.write.Do("POST", "/tasks", body), 400, "validation_failed", "assignee_id", "project_id")
			wantError(t, sent, s.write.Do("POST", "/deals", `{"title":"a","owner_id":`+quote(sent)+`}`), 400, "validation_failed", "owner_id")
		}
		for _, sent := range []string{"1", "true", "[]", `{}`} {
			wantError(t, sent, s.write.Do("POST", "/contacts", `{"name":"a","owner_id":`+sent+`}`), 400, "validation_failed", "owner_id")
		}
	})
}

func TestEmails(t *testing.T) {
	long := strings.Repeat("b", 60)
	domain := strings.Join([]string{long, long, long, strings.Repeat("c", 57)}, ".") // 240
	onEach(t, func(t *testing.T, s service) {
		for sent, ok := range map[string]bool{
			"a@b": true, "a@b.example": true, "A.B+c@Example.COM": true, "o'neil!#$%&*/=?^_`{|}~-@x.example": true, "用户@例子.公司": true, "é@ü.example": true, "a@نامه\u200cای.example": true, "a@b\u200cc.example": false, "a@xn--bcher-kva.example": true,
			"abcdefghijklm@" + domain: true, "abcdefghijklmn@" + domain: false,
			"": false, " ": false, "a": false, "a@": false, "@b": false, "a@b@c": false, "a b@c": false, " a@b": false, "a@b ": false, ".a@b": false, "a.@b": false, "a..b@c": false, "a@b.": false, "a@.b": false, "a@b..c": false,
			`"a"@b`: false, `"a b"@c`: false, "A <a@b>": false, "<a@b>": false, "a@[127.0.0.1]": false, "a@127.0.0.1": false, "a@[IPv6:::1]": false, "a@-b.example": false, "a,b@c": false, "a@b,c@d": false, "mailto:a@b": false,
			"a@b\n": false, "a\x00@b": false, "a@b_c": false, "(c)a@b": false, "a;b@c": false, "a\u00a0b@c": false,
		} {
			for _, plural := range []string{"contacts", "companies"} {
				r := s.write.Do("POST", "/"+plural, `{"name":"a","email":`+quote(sent)+`}`)
				if !ok {
					wantError(t, sent, r, 400, "validation_failed", "email")
				} else if r.Status != 201 || r.JSON(t)["email"] != sent {
					t.Errorf("%q: %d %s", sent, r.Status, r.Body)
				}
			}
		}
	})
}
