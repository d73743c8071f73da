package traffic

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
)

// What counting adds to a request, one that is refused again and again included.
func BenchmarkNote(b *testing.B) {
	for name, code := range map[string]string{"answered": "", "refused": "rate_limited"} {
		b.Run(name, func(b *testing.B) {
			r := NewRecorder(nil)
			q := Request{Workspace: uuid.New(), Key: uuid.New(), Status: http.StatusOK, Code: code, Method: http.MethodGet, Route: "/api/v1/tasks", ID: "x"}
			b.ReportAllocs()
			for b.Loop() {
				q.At = time.Now()
				r.Note(&q)
			}
		})
	}
}
