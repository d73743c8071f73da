package overload

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
)

var limits = Limits{Places: 12, Waiting: 24, Patience: time.Second}

// read and write are works of a workspace and a resource that no other has, unless
// they are changed.
func read() Work  { return Work{Workspace: uuid.New(), Resource: uuid.NewString()} }
func write() Work { return Work{Workspace: uuid.New(), Resource: uuid.NewString(), Write: true} }

// fill lets in as many works as come in at once, at most 100, and returns how many
// and what lets them go.
func fill(t *testing.T, g *Gate, next func() Work) (n int, leave []func()) {
	t.Helper()
	now, cancel := context.WithCancel(t.Context())
	cancel() // whoever would have to wait does not
	for range 100 {
		out, err := g.Enter(now, next())
		if err != nil {
			return n, leave
		}
		n, leave = n+1, append(leave, out)
	}
	return n, leave
}

// No share is so large that nothing is left for what has no part in it.
func TestShares(t *testing.T) {
	t.Parallel()
	one := uuid.New()
	of := func(workspace uuid.UUID) func() Work {
		return func() Work { return Work{workspace, uuid.NewString(), false} }
	}
	in := func(resource string, write bool) func() Work {
		return func() Work { return Work{one, resource, write} }
	}
	at := func(resource string, write bool) func() Work {
		return func() Work { return Work{uuid.New(), resource, write} }
	}
	for name, test := range map[string]struct {
		slow, rest        func() Work
		places, has, left int
	}{
		"a workspace":                        {of(one), read, 12, 9, 3},
		"its table, beside its others":       {in("tasks", false), in("deals", false), 12, 8, 1},
		"its writes in a table":              {in("tasks", true), in("tasks", false), 12, 7, 1},
		"its writes in a table, its others":  {in("tasks", true), in("deals", true), 12, 7, 1},
		"its writes, beside its reads":       {func() Work { return Work{one, uuid.NewString(), true} }, in("deals", false), 12, 8, 1},
		"its writes in a table, another's":   {in("tasks", true), at("tasks", true), 12, 7, 3},
		"a table, beside other reads":        {at("tasks", false), read, 12, 11, 1},
		"a table, beside other writes":       {at("tasks", false), write, 12, 11, 1},
		"a table's writes, beside its reads": {at("tasks", true), at("tasks", false), 12, 10, 1},
		"a table's writes, beside others":    {at("tasks", true), write, 12, 10, 1},
		"writes":                             {write, read, 12, 11, 1},
		"the default of 24 connections":      {of(one), at("tasks", true), 21, 18, 3},
		"its writes in a table, of these":    {in("tasks", true), at("tasks", true), 21, 16, 3},
		"of 64 connections":                  {of(one), at("tasks", true), 56, 50, 6},
		"three places":                       {of(one), read, 3, 2, 1},
		"two":                                {of(one), read, 2, 1, 1},
		"one":                                {of(one), read, 1, 1, 0},
	} {
		g := New(Limits{Places: test.places})
		if n, _ := fill(t, g, test.slow); n != test.has {
			t.Errorf("%s: %d in work, want %d", name, n, test.has)
		}
		if n, _ := fill(t, g, test.rest); n != test.left {
			t.Errorf("%s: %d others in work, want %d", name, n, test.left)
		}
	}
}

// The line is bounded, and shared as the places are. Who waits for longer than the
// patience is refused.
func TestLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(limits)
		fill(t, g, read)
		one := uuid.New()
		for _, step := range []struct {
			next func() Work
			want int64 // waiting beside those before
		}{
			{func() Work { return Work{one, uuid.NewString(), false} }, 18},
			{func() Work { return Work{one, uuid.NewString(), false} }, 0},
			{read, 6},
			{read, 0},
		} {
			var late, full atomic.Int64
			for range 20 {
				go func() {
					switch _, err := g.Enter(t.Context(), step.next()); {
					case errors.Is(err, errLate):
						late.Add(1)
					case errors.Is(err, errFull):
						full.Add(1)
					}
				}()
			}
			synctest.Wait()
			if full.Load() != 20-step.want {
				t.Errorf("%d were refused at once, want %d", full.Load(), 20-step.want)
			}
			defer func() {
				if late.Load() != step.want {
					t.Errorf("%d were refused late, want %d", late.Load(), step.want)
				}
			}()
		}
		if s := g.Stats(); s != (Stats{Places: 12, InWork: 12, Waiting: 24, Full: 2 + 20 + 14 + 20}) {
			t.Errorf("%+v", s)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s := g.Stats(); s.Waiting != 0 || s.Late != 24 {
			t.Errorf("after the patience: %+v", s)
		}
	})
}

// A place that becomes free goes to the first in line who may have it, past those who
// may not.
func TestOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(limits)
		busy := Work{Workspace: uuid.New(), Resource: "tasks"}
		_, ofBusy := fill(t, g, func() Work { return busy })
		_, ofOthers := fill(t, g, read)
		var order []string
		enter := func(name string, w Work) {
			go func() {
				if _, err := g.Enter(t.Context(), w); err == nil {
					order = append(order, name)
				}
			}()
			synctest.Wait()
		}
		enter("busy", busy)
		enter("first", read())
		enter("second", read())
		for _, leave := range []func(){ofOthers[0], ofOthers[1], ofBusy[0]} {
			leave()
			synctest.Wait()
		}
		if len(order) != 3 || order[0] != "first" || order[1] != "second" || order[2] != "busy" {
			t.Errorf("let in: %q", order)
		}
	})
}

// Who gives up leaves nothing behind, and a place is never lost or given twice.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	g := New(Limits{Places: 8, Waiting: 16, Patience: time.Millisecond})
	workspaces := []uuid.UUID{uuid.New(), uuid.New(), uuid.New()}
	var in atomic.Int64
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for range 500 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(2000))*time.Microsecond)
				w := Work{workspaces[rand.IntN(3)], []string{"tasks", "deals"}[rand.IntN(2)], rand.IntN(2) == 0}
				if leave, err := g.Enter(ctx, w); err == nil {
					if n := in.Add(1); n > 8 {
						t.Errorf("%d are in work", n)
					}
					time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
					in.Add(-1)
					leave()
				} else if !errors.Is(err, ErrShed) && !errors.Is(err, ctx.Err()) {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	all.Wait()
	if s := g.Stats(); s.InWork != 0 || s.Waiting != 0 || len(g.parts) > keptParts {
		t.Errorf("%+v is left of %d parts", s, len(g.parts))
	}
	if n, _ := fill(t, g, read); n != 8 {
		t.Errorf("%d places are left", n)
	}
}

// What a request pays for the gate.
func BenchmarkEnter(b *testing.B) {
	g, w := New(limits), read()
	b.ReportAllocs()
	for b.Loop() {
		leave, err := g.Enter(b.Context(), w)
		if err != nil {
			b.Fatal(err)
		}
		leave()
	}
}
