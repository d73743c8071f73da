package developer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"records/internal/traffic"
)

// The picture, its words and its table tell the same figures.
func TestChart(t *testing.T) {
	start := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var slots []traffic.Slot
	for i := range 60 {
		slots = append(slots, traffic.Slot{Start: start.Add(time.Duration(i) * time.Minute), ByStatus: map[int]int64{}})
	}
	slots[3].ByStatus = map[int]int64{200: 1500, 201: 500, 404: 1000, 503: 1000}
	slots[59].ByStatus = map[int]int64{200: 1, 499: 1}
	c := newChart("hour", "The last hour", "minute", "15:04", slots)
	if want := "2,001 answered, 1,001 refused, 1,000 failed on our side. The most in one minute: 4,000, at 09:03 UTC."; c.Summary != want {
		t.Errorf("%q, want %q", c.Summary, want)
	}
	if c.Total() != 4002 || c.Most != 4000 || len(c.Bars) != 2 || len(c.Rows) != 2 {
		t.Errorf("%d in all, %d at most, %d bars, %d rows", c.Total(), c.Most, len(c.Bars), len(c.Rows))
	}
	if got := fmt.Sprint(c.Bars[0].Parts); got != "[{s2 36 72 10 72} {s4 36 36 10 36} {s5 36 0 10 36}]" {
		t.Errorf("the first bar: %s", got)
	}
	if !strings.Contains(c.Bars[0].Label, "09:03, 2,000 answered, 1,000 refused, 1,000 failed") {
		t.Errorf("its label: %s", c.Bars[0].Label)
	}
	if got := fmt.Sprint(c.Statuses, c.Rows[1]); got != "[{200 1501} {201 500} {404 1000} {499 1} {503 1000}] {2026-11-21 09:03:00 +0000 UTC 4000 [1500 500 1000 0 1000]}" {
		t.Errorf("the table: %s", got)
	}
	if empty := newChart("hour", "The last hour", "minute", "15:04", slots[10:20]); empty.Total() != 0 || empty.Summary != "No requests." {
		t.Errorf("without requests: %+v", empty)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 999999: "999,999", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
