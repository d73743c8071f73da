package overload

import (
	"context"
	"errors"
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
		back := take(first, 1000, true) // counts as 300
		take(first, 1, false)
		take(second, 200, true)
		take(second, 100, true)
		take(second, 1, false)
		take(third, 201, false) // of all there are 200 left
		take(third, 200, true)
		back()
		take(third, 100, true)
		take(first, 201, false)
		last := take(first, 200, true)
		if b.all.units != 800 || b.of[first].units != 200 {
			t.Errorf("%d are held, %v", b.all.units, b.of[first])
		}
		time.AfterFunc(time.Second/2, last)
		take(first, 200, true)() // once it was given back
		if b.of[first] != nil || b.all != (held{units: 600}) {
			t.Errorf("%+v is held, %+v", b.all, b.of[first])
		}
	})
}

// Who waits does so for a while, beside a few others, and can give up.
func TestBudgetIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(Limits{Places: 8, Waiting: 6, Patience: time.Second})
		who := uuid.New()
		back, err := b.Take(t.Context(), who, 3)
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
		if b.all != (held{}) || len(b.of) != 0 {
			t.Errorf("%+v and %v are left", b.all, b.of)
		}
	})
}
