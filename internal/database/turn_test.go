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
		turn := make(turn, 1)
		first, err := turn.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var served []int
		for i := range 20 {
			go func() {
				give, err := turn.take(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				defer give()
				served = append(served, i)
			}()
			synctest.Wait() // until it waits
		}
		first()
		synctest.Wait()
		if len(served) != 20 || !slices.IsSorted(served) {
			t.Errorf("served %v", served)
		}
	})
}
