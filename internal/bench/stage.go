package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// stage is one kind of database, loaded, with both programs serving a copy of it.
type stage struct {
	name        string
	version     string // of the database, with the settings that matter
	data        *data
	program     *server
	baseline    *server
	databaseCPU meter
	rested      [2]memory // before the first request: the program's and the baseline's
	tidy        []func() error
}

// noCeiling is a ceiling that is counted on and never reached.
const noCeiling = "2000000000"

// prepare loads a database, copies it for the baseline, and starts both programs.
func prepare(ctx context.Context, name, folder string, built binaries, p plan) (s *stage, err error) {
	s = &stage{name: name, databaseCPU: nothing}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	say("%s: loading", name)
	copies := s.sqlite
	if name == "postgres" {
		copies = s.postgres
	}
	program, baseline, err := copies(ctx, folder, built.program, p)
	if err != nil {
		return s, err
	}
	ceilings := []string{"RECORDS_RATELIMIT_PER_KEY=" + noCeiling, "RECORDS_RATELIMIT_PER_IP=" + noCeiling}
	serve := func(url string) []string {
		return []string{built.program, "serve", "--addr", "127.0.0.1:0", "--database.url", url}
	}
	ours, theirs := serve(program), []string{built.baseline, "-database", baseline}
	if p.rowSecurity {
		ours = append(ours, "--database.row_level_security")
	}
	if p.alone() {
		theirs = serve(baseline)
		theirs[0] = cmp.Or(p.against, built.program)
	}
	s.program, err = start(filepath.Join(folder, name+"-program.log"), ceilings, ours...)
	if err != nil {
		return s, err
	}
	s.tidy = append(s.tidy, s.program.stop)
	s.baseline, err = start(filepath.Join(folder, name+"-baseline.log"), ceilings, theirs...)
	if err != nil {
		return s, err
	}
	s.tidy = append(s.tidy, s.baseline.stop)
	s.rested, err = s.memory()
	return s, err
}

// sqlite loads a file and copies it.
func (s *stage) sqlite(ctx context.Context, folder, program string, p plan) (ours, theirs string, err error) {
	paths := [2]string{filepath.Join(folder, "program.db"), filepath.Join(folder, "baseline.db")}
	s.tidy = append(s.tidy, func() error { return errors.Join(os.Remove(paths[0]), os.Remove(paths[1])) })
	if s.data, err = load(ctx, program, "sqlite:"+paths[0], p); err != nil {
		return "", "", err
	}
	if s.version, err = sqliteVersion(ctx, paths[0]); err != nil {
		return "", "", err
	}
	return "sqlite:" + paths[0], "sqlite:" + paths[1], copyFile(paths[1], paths[0])
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// close stops the programs and drops the data.
func (s *stage) close() {
	for i := len(s.tidy) - 1; i >= 0; i-- {
		if err := s.tidy[i](); err != nil {
			say("%s: %s", s.name, err)
		}
	}
}

// measure measures every cell for which there is time, and that what was written
// is what is there.
func (s *stage) measure(ctx context.Context, p plan, until time.Time, r *report) error {
	r.databases = append(r.databases, s.version)
	say("%s: measuring", s.name)
	program := &contestant{name: "program", server: s.program}
	baseline := &contestant{name: "baseline", server: s.baseline}
	everyone := []*contestant{program, baseline}
	counting := &contestant{name: "count(*)", server: s.baseline, prefix: "/counting"}
	if !p.alone() {
		everyone = append(everyone, counting)
	}
	for _, c := range p.cells(s.name) {
		if time.Now().After(until) {
			r.left++
			continue
		}
		all := []*contestant{program, baseline}
		if c.operation == opList || c.operation == opDeep {
			all = everyone
		}
		row, err := s.contest(ctx, c, all, p)
		if err != nil {
			return err
		}
		say("%s", row)
		r.rows = append(r.rows, row)
	}
	after, err := s.memory()
	if err != nil {
		return err
	}
	r.memories = append(r.memories, memories{s.name, s.rested, after, [2]time.Duration{s.program.ready, s.baseline.ready}})
	return s.checkCounts(everyone, []*contestant{program, baseline})
}

// contest measures one cell: the contestants in turns, so that whatever else the
// machine does meets all of them.
func (s *stage) contest(ctx context.Context, c cell, all []*contestant, p plan) (row, error) {
	sources := map[*contestant]*source{}
	rounds := p.rounds
	for _, k := range all {
		sources[k] = &source{cell: c, data: s.data, prefix: k.prefix}
		k.rounds = nil
		begin := time.Now()
		if err := k.warm(sources[k], p, s.databaseCPU); err != nil && !errors.Is(err, errGaveUp) {
			return row{}, fmt.Errorf("%s, warming up: %w", k.name, err)
		}
		if c.size != small && time.Since(begin) > 3*p.round {
			rounds = 1 // each request takes so long that a round is long, too
		}
	}
	stash := map[*contestant][]made{}
	if c.operation == opDelete {
		for _, k := range all {
			stash[k], k.made = k.made, nil
		}
	}
	for i := range rounds {
		for _, k := range all {
			if err := ctx.Err(); err != nil {
				return row{}, err
			}
			if c.operation == opDelete { // this round's share of them
				n := len(stash[k]) / (rounds - i)
				k.made, stash[k] = stash[k][:n], stash[k][n:]
			}
			f, err := k.play(sources[k], p.round, s.databaseCPU)
			if errors.Is(err, errGaveUp) {
				f, err = figures{failed: true}, nil
			}
			if err != nil {
				return row{}, fmt.Errorf("%s: %w", k.name, err)
			}
			k.rounds = append(k.rounds, f)
		}
	}
	result := row{cell: c}
	for _, k := range all {
		result.figures = append(result.figures, median(k.rounds))
		if err := os.Truncate(k.server.log, 0); err != nil {
			return row{}, err
		}
	}
	return result, nil
}

// warm lets a contestant meet a cell before it counts, and once each of the small
// workspaces. What it deletes cannot be had again, and it was warm when it created
// it.
func (k *contestant) warm(s *source, p plan, databaseCPU meter) error {
	if s.operation == opDelete {
		return nil
	}
	_, err := k.play(s, p.round/2, databaseCPU)
	for err == nil && s.size == small && !k.met {
		_, err = k.play(s, p.round/2, databaseCPU)
		k.met = int(s.next.Load()) >= len(s.data.smalls)
	}
	return err
}

// memory is what both servers hold now.
func (s *stage) memory() (both [2]memory, err error) {
	for i, server := range []*server{s.program, s.baseline} {
		if both[i], err = server.memory(); err != nil {
			return both, err
		}
	}
	return both, nil
}
