package traffic

import (
	"context"
	"fmt"
	"time"

	"records/ent/rule"
)

const (
	// writeEvery is how often what was counted is written.
	writeEvery = 10 * time.Second
	// writeTimeout bounds one writing, the last one at a stop included.
	writeTimeout = 5 * time.Second
	// removeEvery is how often old rows are looked for.
	removeEvery = time.Minute
)

// Run writes what was counted until the context ends, then once more, and removes
// what is old. What fails is told, and tried again.
func (r *Recorder) Run(ctx context.Context, failed func(error)) {
	tell := func(err error) {
		if err != nil {
			failed(err)
		}
	}
	write, remove := time.NewTicker(writeEvery), time.NewTicker(removeEvery)
	defer write.Stop()
	defer remove.Stop()
	for {
		select {
		case <-write.C:
			tell(r.write(ctx, false))
		case <-r.full:
			tell(r.write(ctx, false))
		case <-remove.C:
			tell(r.remove(ctx, time.Now()))
		case <-ctx.Done():
			tell(r.write(ctx, true))
			return
		}
	}
}

// write takes over what was counted since the last time, and writes all that is not
// written yet. The end of ctx does not cut it short.
func (r *Recorder) write(ctx context.Context, all bool) error {
	ctx, cancel := context.WithTimeout(rule.AsOperator(context.WithoutCancel(ctx)), writeTimeout)
	defer cancel()
	r.mu.Lock()
	defer r.mu.Unlock()
	lost := r.take()
	err := r.book.write(ctx, time.Now(), all)
	if lost > 0 && err == nil {
		err = fmt.Errorf("%d requests were not counted: there are more keys in use than there is room for", lost)
	}
	return err
}

// take moves what was counted into the book, and reports how much had no room. The
// map of one shard, emptied, is the next of another: so a shard is held no longer
// than it takes to change the two, and counting needs no new memory.
func (r *Recorder) take() (lost int64) {
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		counts, refused := s.counts, s.refused
		lost += s.lost
		s.counts, s.refused, s.lost = r.next, nil, 0
		s.mu.Unlock()
		for c, n := range counts {
			lost += r.book.add(c, n)
		}
		r.book.refuse(refused)
		clear(counts)
		r.next = counts
	}
	return lost
}
