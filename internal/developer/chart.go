package developer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"records/internal/traffic"
)

// chart is a picture of requests over time: a bar for each minute or hour, of a part
// for each class of status. The same figures stand in a table under it, by status.
type chart struct {
	ID, Title     string
	Unit          string // minute or hour
	Summary       string // what the picture shows, in words
	First, Last   time.Time
	Most          int64 // the height of the picture, in requests
	Width, Height int
	Bars          []bar
	Classes       []class // those that occur
	Statuses      []statusSum
	Rows          []chartRow // in which there was something, newest first
}

type bar struct {
	Label string
	Parts []part
}

// part is a rectangle of the picture.
type part struct{ Class, X, Y, W, H string }

// class is a class of status, which has a colour of its own (s2, s3, s4, s5).
type class struct {
	Name, Meaning string
	Requests      int64
}

type statusSum struct {
	Status   int
	Requests int64
}

type chartRow struct {
	Start  time.Time
	Total  int64
	Counts []int64 // of Statuses
}

const (
	chartWidth, chartHeight = 720, 144
	barGap                  = 2
)

var meanings = [6]string{2: "answered", 3: "redirected", 4: "refused", 5: "failed on our side"}

// newChart draws slots that are as long as a unit. layout is how to write when one
// begins.
func newChart(id, title, unit, layout string, slots []traffic.Slot) chart {
	c := chart{ID: id, Title: title, Unit: unit, Width: chartWidth, Height: chartHeight,
		First: slots[0].Start, Last: slots[len(slots)-1].Start}
	byStatus, byClass, busiest := map[int]int64{}, [6]int64{}, 0
	for i, s := range slots {
		for status, n := range s.ByStatus {
			byStatus[status] += n
			byClass[classOf(status)] += n
		}
		if n := s.Total(); n > c.Most {
			c.Most, busiest = n, i
		}
	}
	for k, n := range byClass {
		if n > 0 {
			c.Classes = append(c.Classes, class{className(k), meanings[k], n})
		}
	}
	for _, status := range slices.Sorted(maps.Keys(byStatus)) {
		c.Statuses = append(c.Statuses, statusSum{status, byStatus[status]})
	}
	c.Summary = c.summary(slots[busiest].Start.Format(layout))
	for i, s := range slots {
		if s.Total() > 0 {
			c.Bars = append(c.Bars, c.bar(float64(i), float64(chartWidth)/float64(len(slots)), s, layout))
			c.Rows = append(c.Rows, c.row(s))
		}
	}
	slices.Reverse(c.Rows)
	return c
}

// bar draws what was asked in a slot, from the answered at the foot to what failed.
func (c *chart) bar(place, step float64, s traffic.Slot, layout string) bar {
	b, y, byClass := bar{Label: s.Start.Format(layout)}, float64(chartHeight), [6]int64{}
	for status, n := range s.ByStatus {
		byClass[classOf(status)] += n
	}
	for k, n := range byClass {
		if n == 0 {
			continue
		}
		height := float64(n) / float64(c.Most) * chartHeight
		y -= height
		b.Parts = append(b.Parts, part{className(k), decimal(place * step), decimal(y), decimal(step - barGap), decimal(height)})
		b.Label += fmt.Sprintf(", %s %s", thousands(n), meanings[k])
	}
	return b
}

func (c *chart) row(s traffic.Slot) chartRow {
	row := chartRow{Start: s.Start, Total: s.Total()}
	for _, status := range c.Statuses {
		row.Counts = append(row.Counts, s.ByStatus[status.Status])
	}
	return row
}

func classOf(status int) int { return min(max(status/100, 2), 5) }

func className(k int) string { return fmt.Sprintf("s%d", k) }

// summary says what the picture shows.
func (c *chart) summary(busiest string) string {
	if len(c.Classes) == 0 {
		return "No requests."
	}
	var said []string
	for _, k := range c.Classes {
		said = append(said, thousands(k.Requests)+" "+k.Meaning)
	}
	return fmt.Sprintf("%s. The most in one %s: %s, at %s UTC.", strings.Join(said, ", "), c.Unit, thousands(c.Most), busiest)
}

// Total is how many requests there were.
func (c chart) Total() (n int64) {
	for _, k := range c.Classes {
		n += k.Requests
	}
	return n
}

func decimal(f float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") }

// thousands writes a number with commas, for people.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
