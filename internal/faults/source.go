package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// source is a copy of the files that git knows, as they are in the working tree.
type source struct {
	folder string
	files  []string
}

func newSource(ctx context.Context) (*source, error) {
	listed, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("listing the source: %w", err)
	}
	folder, err := os.MkdirTemp("", "records-faults-")
	if err != nil {
		return nil, err
	}
	s := &source{folder, strings.Split(strings.TrimRight(string(listed), "\x00"), "\x00")}
	if err := s.restore(); err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

func (s *source) remove() { _ = os.RemoveAll(s.folder) }

// restore makes every file what it is in the working tree. Those that are so
// already are left alone.
func (s *source) restore() error {
	for _, name := range s.files {
		from, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) { // deleted, and not yet committed
			continue
		}
		if err != nil {
			return err
		}
		to := filepath.Join(s.folder, name)
		if now, err := os.ReadFile(to); err == nil && bytes.Equal(now, from) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, from, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// result is what became of a planted fault.
type result struct {
	took     time.Duration
	outcomes []outcome
	held     bool  // row-level security let nothing through
	err      error // it could not be planted
}

// outcome is what one test said of it.
type outcome struct {
	test
	caught bool
	output string
}

// plant applies a fault, runs the tests, and takes it out again.
func (s *source) plant(ctx context.Context, f fault, tests []test) (r result) {
	began := time.Now()
	defer func() {
		r.err = errors.Join(r.err, s.restore())
		r.took = time.Since(began).Round(time.Second)
	}()
	if r.err = apply(s.folder, f); r.err != nil {
		return r
	}
	for _, command := range prepare[f.after] {
		if out, err := s.command(ctx, command...); err != nil {
			r.err = fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
			return r
		}
	}
	for _, t := range tests {
		o, err := s.try(ctx, t)
		if err != nil {
			r.err = err
			return r
		}
		r.outcomes = append(r.outcomes, o)
	}
	if f.held != (test{}) {
		r.held, r.err = s.holds(ctx, f.held)
	}
	return r
}

// prepare is what is run after an edit.
var prepare = map[after][][]string{
	generate: {{"go", "generate", "./ent"}},
	sums:     {{"go", "run", "./migrate/generate", "-sums"}},
}

// failed finds the tests that failed, in what go test prints.
var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+) `)

// sound returns an error unless each test passes while no fault is planted.
func (s *source) sound(ctx context.Context, faults []fault) error {
	tried := map[test]bool{}
	for _, f := range faults {
		for _, t := range f.by {
			if tried[t] {
				continue
			}
			tried[t] = true
			if o, err := s.try(ctx, t); err != nil || o.caught {
				return errors.Join(err, fmt.Errorf("%s in %s has to pass before a fault is planted:\n%s", t.name, t.folder, o.output))
			}
		}
	}
	return nil
}

// try runs one test. It has caught the fault if it failed by itself: what does not
// compile, does not reach its database, or has not ended in time, shows nothing.
func (s *source) try(ctx context.Context, t test) (outcome, error) {
	out, err := s.command(ctx, "go", "test", "-count=1", "-vet=off", "-timeout=5m", "-run", "^"+t.name+"$", "./"+t.folder)
	o := outcome{test: t, output: last(out)}
	switch {
	case strings.Contains(out, "connection refused") || strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]") || strings.Contains(out, "test timed out") || strings.Contains(out, "no tests to run"):
		return o, fmt.Errorf("%s in %s shows nothing: %s", t.name, t.folder, o.output)
	case err != nil:
		o.caught = slices.ContainsFunc(failed.FindAllStringSubmatch(out, -1), func(match []string) bool { return match[1] == t.name })
	}
	return o, nil
}

// holds runs the part of a test that has row-level security, and reports whether it
// passes.
func (s *source) holds(ctx context.Context, t test) (bool, error) {
	out, err := s.command(ctx, "go", "test", "-v", "-count=1", "-vet=off", "-timeout=5m", "-run", "^"+t.name+"$/^"+thirdKind+"$", "./"+t.folder)
	if !strings.Contains(out, "--- PASS: "+t.name+"/"+thirdKind) && !strings.Contains(out, "--- FAIL: "+t.name+"/"+thirdKind) {
		return false, fmt.Errorf("%s in %s shows nothing of row-level security: %s", t.name, t.folder, last(out))
	}
	return err == nil, nil
}

func (s *source) command(ctx context.Context, words ...string) (string, error) {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.WaitDelay = s.folder, time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// last is the end of what a command printed.
func last(out string) string {
	const enough = 1500
	return out[max(0, len(out)-enough):]
}

// apply edits the source below a folder. Each text must stand there once.
func apply(folder string, f fault) error {
	for _, e := range f.edits {
		name := filepath.Join(folder, e.file)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), e.old); n != 1 {
			return fmt.Errorf("%q: %s has the text %q %d times, want once: write the fault anew for the source as it is now", f.name, e.file, e.old, n)
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(text), e.old, e.new, 1)), 0o600); err != nil {
			return err
		}
	}
	return nil
}
