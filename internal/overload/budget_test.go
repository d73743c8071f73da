package overload

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(Limits{Places: 800, Waiting: 3, Patience: time.Second})
		take := func(who uuid.UUID, n int, fits bool) func() {
			t.Helper()
			giveBack, err := b.Take(t.Context(), who, n)
			if fits != (err == nil) || err != nil && !errors.Is(err, ErrShed) {
				t.Errorf("%d: %v", n, err)
			}
			return giveBack
		}
		first, second, third := uuid.New(), uuid.New(), uuid.New()
		back := take(first, 1000, true) // counts as 400
		take(first, 1, false)
		take(second, 150, true)
		take(second, 51, false) // it would have more than the 199 that are left
		take(second, 50, true)
		take(third, 101, false)
		take(third, 100, true) // and there is as much for the next
		back()
		take(third, 150, true)
		take(first, 176, false)
		last := take(first, 175, true)
		if b.units != 625 || b.of[first].units != 175 {
			t.Errorf("%d are held, %v", b.units, b.of[first])
		}
		time.AfterFunc(time.Second/2, last)
		take(first, 175, true)() // once it was given back
		if b.of[first] != nil || b.units != 450 || b.waiting != 0 {
			t.Errorf("%d are held, %d wait, %+v", b.units, b.waiting, b.of[first])
		}
		if stats := b.Stats(); stats != (Stats{Places: 800, InWork: 450, Late: 4}) {
			t.Errorf("%+v", stats)
		}
	})
}

// However many workspaces have taken all they get, there is some for the next.
func TestBudgetLeavesSomeToTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(Limits{Places: 1 << 20, Waiting: 3, Patience: time.Second})
		for i := range 8 {
			who, has := uuid.New(), 0
			for {
				if _, err := b.Take(t.Context(), who, 1<<10); err != nil {
					break
				}
				has++
			}
			if has < 1 {
				t.Fatalf("workspace %d gets none", i)
			}
		}
	})
}

// Of one workspace's works none is passed by another that has come later.
func TestBudgetInTheOrderOfComing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(Limits{Places: 80, Waiting: 16, Patience: time.Second})
		who := uuid.New()
		var wg sync.WaitGroup
		for i := range 4 { // small ones, one after the other
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
				for range 50 {
					if back, err := b.Take(t.Context(), who, 4); err == nil {
						time.Sleep(40 * time.Millisecond)
						back()
					}
				}
			})
		}
		time.Sleep(100 * time.Millisecond)
		back, err := b.Take(t.Context(), who, 38)
		if err != nil {
			t.Fatal(err)
		}
		back()
		wg.Wait()
	})
}

// Who waits does so for a while, beside a few others, and can give up.
func TestBudgetIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(Limits{Places: 8, Waiting: 6, Patience: time.Second})
		who := uuid.New()
		back, err := b.Take(t.Context(), who, 4)
		if err != nil {
			t.Fatal(err)
		}
		errs := make(chan error, 4)
		for range 2 { // of six who may wait
			go func() { _, err := b.Take(t.Context(), who, 1); errs <- err }()
		}
		synctest.Wait()
		if _, err := b.Take(t.Context(), who, 1); !errors.Is(err, errFull) {
			t.Errorf("one more: %v", err)
		}
		began := time.Now()
		for range 2 {
			if err := <-errs; !errors.Is(err, errLate) {
				t.Errorf("%v", err)
			}
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("after %s", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _, err := b.Take(ctx, who, 1); errs <- err }()
		synctest.Wait()
		cancel()
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		back()
		if b.units != 0 || b.waiting != 0 || len(b.of) != 0 {
			t.Errorf("%d units, %d in line and %v are left", b.units, b.waiting, b.of)
		}
	})
}
