package main

import (
	"errors"
	"slices"
	"sync"
	"time"
)

// contestant is a server, or one of its ways to answer.
type contestant struct {
	name   string
	server *server
	prefix string // of its paths
	made   []made // what it created and did not delete yet
	met    bool   // it has seen the key of every small workspace
	rounds []figures
}

// figures are those of one round, or the median of several.
type figures struct {
	requests int
	rate     float64 // requests a second
	p50, p99 time.Duration
	program  time.Duration // CPU of one request
	database time.Duration
	failed   bool // a request was not answered as it should be: there are no figures
}

// cpu is what a request costs in all.
func (f figures) cpu() time.Duration { return f.program + f.database }

// worker is one connection in one round.
type worker struct {
	client  *client
	source  *source
	doomed  []made
	made    []made
	latency []time.Duration
	err     error
}

// play loads a contestant until the time is over, or all its tasks are deleted,
// and measures what it costs.
func (k *contestant) play(s *source, lasting time.Duration, databaseCPU meter) (figures, error) {
	workers, err := k.workers(s)
	if err != nil {
		return figures{}, err
	}
	defer hangUp(workers)
	before, err := reading(k.server.cpu, databaseCPU)
	if err != nil {
		return figures{}, err
	}
	begin := time.Now()
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() { w.err = w.work(begin.Add(lasting)) })
	}
	all.Wait()
	took := time.Since(begin)
	after, err := reading(k.server.cpu, databaseCPU)
	if err != nil {
		return figures{}, err
	}
	var latency []time.Duration
	for _, w := range workers {
		if w.err != nil {
			return figures{}, w.err
		}
		latency = append(latency, w.latency...)
		k.made = append(k.made, w.made...)
	}
	return summarise(latency, took, after[0]-before[0], after[1]-before[1])
}

// workers connects, and shares out what is to be deleted.
func (k *contestant) workers(s *source) ([]*worker, error) {
	var workers []*worker
	for range s.connections {
		connection, err := dial(k.server.addr)
		if err != nil {
			return nil, err
		}
		workers = append(workers, &worker{client: connection, source: s})
	}
	if s.operation == opDelete {
		share := (len(k.made) + len(workers) - 1) / len(workers)
		for i, part := range slices.Collect(slices.Chunk(k.made, max(share, 1))) {
			workers[i].doomed = part
		}
		k.made = nil
	}
	return workers, nil
}

// hangUp closes the connections.
func hangUp(workers []*worker) {
	for _, w := range workers {
		_ = w.client.conn.Close() // all was read
	}
}

func (w *worker) work(until time.Time) error {
	var buffer []byte
	for i := 0; ; i++ {
		var doomed made
		if w.source.operation == opDelete {
			if i == len(w.doomed) {
				return nil
			}
			doomed = w.doomed[i]
		}
		request, owner := w.source.request(buffer[:0], doomed)
		buffer = request
		sent := time.Now()
		if doomed.owner == nil && i > 0 && !sent.Before(until) {
			return nil // after one request at least, however slow
		}
		a, err := w.client.do(request)
		if err != nil {
			return err
		}
		w.latency = append(w.latency, time.Since(sent))
		if err := w.source.check(a); err != nil {
			return err
		}
		if w.source.operation == opCreate {
			w.made = append(w.made, made{owner, a.location})
		}
	}
}

// summarise turns what was measured into figures.
func summarise(latency []time.Duration, took, program, database time.Duration) (figures, error) {
	n := len(latency)
	if n == 0 {
		return figures{}, errors.New("a round without a request")
	}
	slices.Sort(latency)
	return figures{
		requests: n,
		rate:     float64(n) / took.Seconds(),
		p50:      latency[n/2],
		p99:      latency[min(n*99/100, n-1)],
		program:  program / time.Duration(n),
		database: database / time.Duration(n),
	}, nil
}

// median takes each figure's median by itself.
func median(rounds []figures) figures {
	if slices.ContainsFunc(rounds, func(f figures) bool { return f.failed }) {
		return figures{failed: true}
	}
	return figures{
		requests: middle(rounds, func(f figures) int { return f.requests }),
		rate:     middle(rounds, func(f figures) float64 { return f.rate }),
		p50:      middle(rounds, func(f figures) time.Duration { return f.p50 }),
		p99:      middle(rounds, func(f figures) time.Duration { return f.p99 }),
		program:  middle(rounds, func(f figures) time.Duration { return f.program }),
		database: middle(rounds, func(f figures) time.Duration { return f.database }),
	}
}

func middle[N int | float64 | time.Duration](rounds []figures, of func(figures) N) N {
	var all []N
	for _, f := range rounds {
		all = append(all, of(f))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
