package outages

import (
	"encoding/json"
	"fmt"
)

// pageSize is the largest page that there is.
const pageSize = 200

// row is a record, as far as the ledger knows it.
type row struct{ id, marker, value string }

// page is one of a list.
type page struct {
	rows  []row
	count int
}

func (r resource) parse(body []byte) (row, error) {
	var all map[string]any
	if err := json.Unmarshal(body, &all); err != nil {
		return row{}, err
	}
	return r.row(all), nil
}

func (r resource) row(of map[string]any) row {
	text := func(name string) string {
		s, _ := of[name].(string)
		return s
	}
	return row{text("id"), text(r.marker), text(r.value)}
}

// parsePage reads a page, whose records must be the newest first, none of them twice.
func (r resource) parsePage(body []byte) (page, error) {
	var all struct {
		Data  []map[string]any
		Count int
	}
	if err := json.Unmarshal(body, &all); err != nil {
		return page{}, err
	}
	p := page{count: all.Count}
	for i, one := range all.Data {
		p.rows = append(p.rows, r.row(one))
		if i > 0 && p.rows[i].id >= p.rows[i-1].id {
			return p, fmt.Errorf("%s comes after %s", p.rows[i].id, p.rows[i-1].id)
		}
	}
	return p, nil
}
