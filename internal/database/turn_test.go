package database

import (
	"slices"
	"testing"
	"testing/synctest"
)

// Those who wait are served in the order in which they came.
func TestTurnKeepsOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var turn turn
		if mine, err := turn.take(t.Context(), nil); err != nil || !mine {
			t.Fatal(mine, err)
		}
		var served []int
		for i := range 20 {
			go func() {
				if mine, err := turn.take(t.Context(), nil); err != nil || !mine {
					t.Error(mine, err)
					return
				}
				defer turn.give()
				served = append(served, i)
			}()
			synctest.Wait() // until it waits
		}
		turn.give()
		synctest.Wait()
		if len(served) != 20 || !slices.IsSorted(served) {
			t.Errorf("served %v", served)
		}
	})
}
