package prove

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
)

// abandon sends a request and goes away in the middle of it, or of its answer.
// Then it waits until the server has done with it, and finds out what came of it.
func (k *worker) abandon(a *ask) error {
	requestID := fmt.Sprintf("gone-%d-%d", k.number, k.sent)
	a.headers = append(a.headers, "X-Request-Id", requestID)
	var whole bytes.Buffer
	a.write(&whole)
	part := whole.Bytes()
	read := 0
	arrives := true // so much of it that the server acts
	switch n := k.IntN(4); {
	case n == 0:
		part, arrives = part[:k.IntN(bytes.Index(part, []byte("\r\n\r\n"))+2)], false
	case n == 1 && len(a.body) > 0:
		part = part[:len(part)-1-k.IntN(len(a.body))]
	case n == 2:
		read = 1 + k.IntN(100)
	}
	k.note("goes away after %d of %d bytes, having read %d: %s", len(part), whole.Len(), read, a)
	ended := k.journal.expect(requestID)
	c, err := k.dialNew()
	if err != nil {
		return err
	}
	if _, err := c.Write(part); err != nil {
		return err
	}
	begin := make([]byte, read)
	n, _ := io.ReadFull(c, begin) // the server may close the connection first
	c.Close()
	if err := k.watch.leak(a.space, strings.ToLower(a.path+string(a.body)+strings.Join(a.headers, " ")), string(begin[:n])); err != nil || !arrives {
		return err
	}
	select {
	case line := <-ended:
		k.done.Add(1)
		return k.cameOf(a, len(part) == whole.Len(), line)
	case <-time.After(patience):
		return fmt.Errorf("%s\nhas not ended", a)
	}
}

// cameOf finds out what an abandoned request did. Where the database did not tell
// the server either, it may still do it for a moment.
func (k *worker) cameOf(a *ask, whole bool, line string) error {
	k.watch.count("abandoned")
	if a.settle == nil {
		return nil
	}
	if strings.Contains(line, "may have taken effect") || strings.Contains(line, "outcome") {
		time.Sleep(settled)
	}
	if err := a.settle(whole && a.refusal().status == 0); err != nil {
		return fmt.Errorf("%s\nwhose client went away, as logged: %s\n%w", a, line, err)
	}
	return nil
}
