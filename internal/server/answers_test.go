package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"records/internal/server"
	"records/internal/servertest"
)

// Answers that their clients do not read take so much memory, and no more: others of the
// workspace are refused, those of other workspaces are not, and small ones never.
func TestAnswersThatNobodyReads(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		other := s.NewClient(t)
		const large = 200 // of 64 KiB: 13 MB, more than sockets take
		body := map[string]any{"name": "a", "description": strings.Repeat("x", 65536)}
		for range large {
			s.write.Create("tasks", body)
		}
		for range large / 10 {
			other.Create("tasks", body)
		}
		list := fmt.Sprintf("/tasks?limit=%d", large)
		unread := dial(t, s)
		_, _ = io.WriteString(unread, "GET /api/v1"+list+" HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+s.write.Token+"\r\n\r\n")
		reader := bufio.NewReaderSize(unread, 16)
		if _, err := reader.Peek(1); err != nil { // it has begun, and is held
			t.Fatal(err)
		}
		wantError(t, "another", s.write.Do(http.MethodGet, list, nil), 503, "unavailable", "overloaded")
		for what, get := range map[string]func() servertest.Response{
			"one of another workspace": func() servertest.Response { return other.Do(http.MethodGet, list, nil) },
			"a small one":              func() servertest.Response { return s.write.Do(http.MethodGet, "/deals", nil) },
			"a write":                  func() servertest.Response { return s.write.Do(http.MethodPost, "/tasks", smallest("tasks")) },
		} {
			if r := get(); r.Status/100 != 2 {
				t.Errorf("%s: %d %s", what, r.Status, r.Body)
			}
		}
		answer, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, answer.Body); err != nil || n != answer.ContentLength {
			t.Errorf("%d bytes of %d, %v", n, answer.ContentLength, err)
		}
		wantStatus(t, "once it was read", s.write.Do(http.MethodGet, list, nil), 200)
		if stats := s.Server.Server.Stats(); stats.Answers.Late != 1 || stats.Answers.InWork != 0 {
			t.Errorf("%+v", stats.Answers)
		}
		s.Stop()
		if log := s.Log.String(); !strings.Contains(log, "large answers: overloaded") {
			t.Errorf("the log does not say of what there was too much: %s", log)
		}
	}, func(o *server.Options) { o.MaxAnswers, o.MaxWait = 36<<20, 300*time.Millisecond })
}
