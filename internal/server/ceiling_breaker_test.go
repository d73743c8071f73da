package server

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &logBuffer{}
		b := &breaker{pause: 2 * time.Second, log: slog.New(slog.NewTextHandler(log, nil))}
		down := errors.New("down")

		early, ok := b.begin(false)
		if !ok || b.isOpen() {
			t.Fatal("a new breaker is not closed")
		}
		other, _ := b.begin(true)
		b.end(other, down)
		if _, ok := b.begin(true); ok || !b.isOpen() {
			t.Fatal("one error does not open it")
		}
		b.end(early, nil)
		if !b.isOpen() {
			t.Fatal("a question from before closes it")
		}

		time.Sleep(2 * time.Second)
		if _, ok := b.begin(false); ok {
			t.Error("a reader is let through as the probe")
		}
		probe, ok := b.begin(true)
		if !ok {
			t.Fatal("no probe after the pause")
		}
		if _, ok := b.begin(true); ok {
			t.Error("two probes at once")
		}
		b.end(probe, down)
		time.Sleep(1900 * time.Millisecond)
		if _, ok := b.begin(true); ok {
			t.Error("a probe before the pause is over")
		}

		time.Sleep(100 * time.Millisecond)
		probe, _ = b.begin(true)
		b.end(probe, nil)
		late, ok := b.begin(false)
		if !ok || b.isOpen() {
			t.Fatal("a good probe does not close it")
		}
		b.end(early, down)
		b.end(probe, down)
		if b.isOpen() {
			t.Error("a failure from before opens it")
		}
		b.end(late, nil)
		if log.count("does not count") != 1 || log.count("is back") != 1 {
			t.Error("a change of state is not logged exactly once")
		}
	})
}
