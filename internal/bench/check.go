package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// checkCounts holds the total of every list of a sized workspace against the
// number of tasks that are there: those loaded, and those created and not deleted.
func (s *stage) checkCounts(all, writers []*contestant) error {
	left := map[*server]map[*workspace]int{}
	for _, k := range writers {
		left[k.server] = map[*workspace]int{}
		for _, m := range k.made {
			left[k.server][m.owner]++
		}
	}
	for _, k := range all {
		c, err := dial(k.server.addr)
		if err != nil {
			return err
		}
		defer c.conn.Close() //nolint:gocritic // three at most
		for _, w := range s.data.all() {
			if w.tasks == small && w.number%100 != 0 {
				continue // one in a hundred will do
			}
			count, err := c.count(k.prefix, w)
			if err != nil {
				return err
			}
			if want := w.tasks + left[k.server][w]; count != want {
				return fmt.Errorf("%s counts %d tasks in the workspace of %d, and there are %d", k.name, count, w.tasks, want)
			}
		}
	}
	return nil
}

// count is the total that a list tells.
func (c *client) count(prefix string, w *workspace) (int, error) {
	a, err := c.do(appendRequest(nil, http.MethodGet, prefix+tasksPath+"?limit=1&offset=0", w.token, ""))
	if err != nil {
		return 0, err
	}
	var list struct{ Count *int }
	if err := json.Unmarshal(a.body, &list); err != nil || list.Count == nil {
		return 0, fmt.Errorf("the list of a workspace of %d was answered with %d %.300s", w.tasks, a.status, a.body)
	}
	return *list.Count, nil
}
