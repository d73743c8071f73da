package replicas

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"records/internal/dbtest"
)

// What the proxy answers itself has the form of the API's errors.
func TestAnswersOfTheProxy(t *testing.T) {
	t.Parallel()
	f := newFleet(t, migrated(t))
	r := f.serve(t, binary, "")
	p := newProxy(t, r)
	c := p.at(f.writer(t), p.transport(t, "", false))
	wants := func(what string, a answer, err error, status int, code string) {
		t.Helper()
		if err != nil || a.status != status || a.header.Get("Content-Type") != "application/json" || !strings.HasPrefix(a.body, `{"error":"`+code+`","message":"`) {
			t.Errorf("%s: %d %v %s, %v", what, a.status, a.header, a.body, err)
		}
	}
	for _, size := range []int{1<<20 + 1, 3 << 20} { // the second is too large for the proxy, too
		a, err := c.do("POST", "/tasks", `{"name":"a"}`+strings.Repeat(" ", size))
		wants(fmt.Sprint(size, " bytes"), a, err, 413, "payload_too_large")
	}
	r.stop(t)
	a, err := c.do("GET", "/tasks", "")
	if wants("nobody there", a, err, 503, "unavailable"); a.header.Get("Retry-After") == "" {
		t.Error("503 without Retry-After")
	}
}

// A replica that is killed with a write in its hands: the proxy repeats no write that
// it has sent, so that none is done twice, and sends what follows to the other one.
func TestTheProxyRepeatsNoWrite(t *testing.T) {
	t.Parallel()
	f := newFleet(t, migrated(t))
	first, second := f.serve(t, binary, ""), f.serve(t, binary, "")
	p := newProxy(t, first, second)
	c := p.at(f.writer(t), p.transport(t, "", false))
	c.create(t)
	c.create(t) // both know the key
	tx, err := f.db.SQL().Begin()
	if err == nil {
		_, err = tx.Exec("LOCK TABLE tasks IN SHARE MODE") // which writers wait for
	}
	if err != nil {
		t.Fatal(err)
	}
	const writes = 6
	var all sync.WaitGroup
	told := make([]answer, writes)
	for i := range writes {
		all.Go(func() {
			a, err := c.do("POST", "/tasks", fmt.Sprintf(`{"name":"write %d"}`, i))
			if err != nil {
				t.Errorf("write %d: %v", i, err)
			}
			told[i] = a
		})
	}
	until(t, "all writes wait", func() bool {
		return dbtest.Rows(t, f.db, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")[0][0] == fmt.Sprint(writes)
	})
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-first.ended
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	until(t, "no write waits", func() bool {
		return dbtest.Rows(t, f.db, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'")[0][0] == "0"
	})
	there := map[string]int{}
	for _, row := range dbtest.Rows(t, f.db, "SELECT name FROM tasks") {
		there[row[0]]++
	}
	made, unknown := 0, 0
	for i, a := range told {
		n := there[fmt.Sprintf("write %d", i)]
		switch {
		case a.status == 201 && n == 1:
			made++
		case a.status == 503 && n <= 1 && strings.Contains(a.body, "may have taken effect"):
			unknown++
		default:
			t.Errorf("write %d was answered %d %s, and is there %d times", i, a.status, a.body, n)
		}
	}
	if made == 0 || unknown == 0 {
		t.Errorf("%d writes were made, of %d it is not known", made, unknown)
	}
	for range 6 {
		if a, err := c.do("GET", "/tasks", ""); err != nil || a.status != 200 {
			t.Errorf("afterwards: %d %s, %v", a.status, a.body, err)
		}
	}
}
