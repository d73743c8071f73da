package outages

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// answerWithin is when a request must have its answer: ten seconds are promised
// (docs/operations.md), the rest is for a busy machine.
const answerWithin = 15 * time.Second

// outcome is what the client of a write knows of it.
type outcome int

const (
	acknowledged outcome = iota
	refused              // it had no effect
	unknown              // it may have had
)

// answer is what came of a request.
type answer struct {
	outcome outcome
	status  int // 0 for none
	body    []byte
	took    time.Duration
}

// newClient has connections of its own.
func newClient(t *testing.T) *http.Client {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: time.Minute}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// ask sends a request. What comes back must be what is documented.
func (w *world) ask(client *http.Client, token, method, path, body string) answer {
	epoch := w.program.away.Load()
	began := time.Now()
	a, header, err := w.send(client, token, method, path, body)
	a.took = time.Since(began)
	if err != nil {
		a.outcome = unknown
		if broken, ok := errors.AsType[*net.OpError](err); ok && broken.Op == "dial" {
			a.outcome = refused
		}
		if epoch%2 == 0 && epoch == w.program.away.Load() {
			w.t.Errorf("%s %s, while the program was there: %v", method, path, tellable(err))
		}
	} else if wrong := a.judge(header); wrong != nil {
		w.t.Errorf("%s %s %s, during %s: %v\nthe log: %s", method, path, body, w.tally.outage(), wrong, tellable(w.program.log.faulty()))
	}
	w.tally.count(method, path, a)
	return a
}

func (w *world) send(client *http.Client, token, method, path, body string) (a answer, header http.Header, err error) {
	r, err := http.NewRequest(method, w.program.address.Load().(string)+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		return a, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	res, err := client.Do(r)
	if err != nil {
		return a, nil, err
	}
	defer res.Body.Close()
	a.body, err = io.ReadAll(res.Body)
	a.status = res.StatusCode
	return a, res.Header, err
}

// judge finds out what an answer says, and returns an error if none like it is
// documented for a request that is right.
func (a *answer) judge(header http.Header) error {
	if a.took > answerWithin {
		return fmt.Errorf("answered %d after %s", a.status, a.took.Round(time.Millisecond))
	}
	if a.status == http.StatusOK || a.status == http.StatusCreated {
		return nil
	}
	a.outcome = refused
	var failure struct{ Error, Message string }
	err := json.Unmarshal(a.body, &failure)
	if after, bad := strconv.Atoi(header.Get("Retry-After")); err != nil || bad != nil || after < 1 || a.status != http.StatusServiceUnavailable || failure.Error != "unavailable" {
		return fmt.Errorf("answered %d %s, Retry-After %q", a.status, a.body, header.Get("Retry-After"))
	}
	if strings.Contains(failure.Message, "may have taken effect") {
		a.outcome = unknown
	}
	return nil
}

// tellable is a text without the words by which internal/faults knows that the tests
// themselves had no database.
func tellable(text any) string {
	return strings.ReplaceAll(fmt.Sprint(text), "connection refused", "nobody listens")
}
