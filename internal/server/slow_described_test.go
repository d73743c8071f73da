package server_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"records/internal/server"
	"records/internal/servertest"
)

// Every operation that takes a body answers a client that does not send it as the
// description says.
func TestSlowBodiesAsDescribed(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		document, err := servertest.Description()
		if err != nil {
			t.Fatal(err)
		}
		waiting, want := map[string]net.Conn{}, map[string]any{}
		for path, item := range document.Paths.Map() {
			for method, operation := range item.Operations() {
				described := operation.Responses.Status(408)
				if (described != nil) != (operation.RequestBody != nil) {
					t.Errorf("%s %s: a body, or 408, without the other", method, path)
				}
				if described == nil {
					continue
				}
				line := method + " " + server.Base + strings.ReplaceAll(path, "{id}", person)
				waiting[line], want[line] = dial(t, s), described.Value.Content["application/json"].Examples["request_timeout"].Value.Value
				_, _ = io.WriteString(waiting[line], line+" HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+s.write.Token+
					"\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n")
			}
		}
		for line, c := range waiting {
			r := readAnswer(t, bufio.NewReader(c), false)
			method, target, _ := strings.Cut(line, " ")
			servertest.Described(t, method, target, r)
			var got any
			if err := json.Unmarshal(r.Body, &got); err != nil || r.Status != 408 || !reflect.DeepEqual(got, want[line]) {
				t.Errorf("%s: %d %s, want %v", line, r.Status, r.Body, want[line])
			}
		}
		if len(waiting) == 0 {
			t.Error("the description knows no 408")
		}
	}, func(o *server.Options) { o.Hurry(time.Second, 300*time.Millisecond, time.Second) })
}
