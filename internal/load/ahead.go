package load

import (
	"records/internal/rest"
)

// Rows are read and checked ahead of those that the database creates meanwhile, a
// few pieces of so many rows, or so many bytes, at most.
const (
	pieces     = 4
	pieceRows  = 64
	pieceBytes = 256 << 10
)

// aheadReader gives the rows of another reader, which a goroutine of its own reads.
type aheadReader struct {
	pieces chan piece
	now    piece
	stop   chan struct{}
}

// piece is some rows, and what came after them if they are the last.
type piece struct {
	rows []row
	end  error
}

// readAhead begins to read. Whoever calls it calls close, after which nothing is
// read any more.
func readAhead(from reader, resource rest.Resource) *aheadReader {
	a := &aheadReader{pieces: make(chan piece, pieces), stop: make(chan struct{})}
	go func() {
		defer close(a.pieces)
		read := resource.Reader()
		for end := error(nil); end == nil; {
			p := readPiece(from, read)
			end = p.end
			select {
			case a.pieces <- p:
			case <-a.stop:
				return
			}
		}
	}()
	return a
}

func readPiece(from reader, read func([]byte) (rest.Body, error)) (p piece) {
	for size := 0; len(p.rows) < pieceRows && size < pieceBytes && p.end == nil; {
		var r row
		if r, p.end = from.next(); p.end != nil {
			break
		}
		size += len(r.body)
		body, err := read(r.body)
		if err != nil {
			p.end = &LineError{r.line, rest.AsError(err).Message}
			break
		}
		p.rows = append(p.rows, row{line: r.line, size: len(r.body), read: body})
	}
	return p
}

// next implements reader.
func (a *aheadReader) next() (row, error) {
	for len(a.now.rows) == 0 {
		if a.now.end != nil {
			return row{}, a.now.end
		}
		a.now = <-a.pieces
	}
	r := a.now.rows[0]
	a.now.rows = a.now.rows[1:]
	return r, nil
}

// close waits for the goroutine.
func (a *aheadReader) close() {
	close(a.stop)
	for range a.pieces { // what was read ahead is left
	}
}
