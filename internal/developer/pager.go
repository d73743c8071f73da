package developer

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
)

// pageSize is how many rows a page of a list shows.
const pageSize = 50

// pager is where in a list of several pages somebody is.
type pager struct {
	Number int // from 1
	Total  int // of all rows
}

// errNoPage is the answer to the number of no page.
var errNoPage = &failure{status: http.StatusNotFound, message: "There is no such page of the list."}

// pagerOf reads the page that is asked for, of a list of so many rows.
func pagerOf(c *gin.Context, total int) (pager, error) {
	p := pager{Number: 1, Total: total}
	if given, ok := c.GetQuery("page"); ok {
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 {
			return p, errNoPage
		}
		p.Number = n
	}
	if p.Number > p.Pages() {
		return p, errNoPage
	}
	return p, nil
}

// Pages is how many there are; an empty list has one.
func (p pager) Pages() int { return max(1, (p.Total+pageSize-1)/pageSize) }

// Newer is the number of the page before, 0 if there is none.
func (p pager) Newer() int { return p.Number - 1 }

// Older is the number of the page after, 0 if there is none.
func (p pager) Older() int {
	if p.Number == p.Pages() {
		return 0
	}
	return p.Number + 1
}

func (p pager) offset() int { return (p.Number - 1) * pageSize }

// firstPage is what a page shows of a list that has no further ones, of which one
// more was read, and whether there is more.
func firstPage[T any](rows []T) (shown []T, more bool) {
	if len(rows) > pageSize {
		return rows[:pageSize], true
	}
	return rows, false
}
