package diff

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect"

	"records/internal/database"
)

// versionLayout is the form of a version, the time at which it was written.
const versionLayout = "20060102150405"

// Request says what is to be written.
type Request struct {
	Version     time.Time // of the first file; each further one is a second later
	Name        string    // what the migration does, in a word or two
	Reason      string    // why data may be lost, "" where none may
	Released    int64     // the newest migration of the last release; 0: take all that there are for released
	Declaration Declaration
	Kinds       map[string]string // what the columns hold by the migrations, as far as it is known
}

// Target is where the migrations of a dialect stand, and an empty database of
// it to replay them in. It is empty again afterwards.
type Target struct {
	Dev    *database.DB
	Folder string
}

// Report is what was done for a dialect: a line for each table that changes,
// and the files that were written. Both are empty if nothing was missing.
type Report struct {
	Dialect string
	Changes []string
	Files   []string
	// ShutsOut: a program of the last release cannot serve what the migrations
	// leave, and refuses to.
	ShutsOut bool
}

// Write compares what the migrations give with what the schemas declare, and
// writes what is missing as the next migrations: the same versions for every
// target, with a comment where one has nothing to do. If a change would destroy
// data or needs to know what old records get, or `records migrate lint` would
// refuse it, it writes nothing, and the error says what the developer has to say.
func Write(ctx context.Context, r Request, targets ...Target) ([]Report, error) {
	if strings.ContainsAny(r.Reason, "\r\n") {
		return nil, errors.New("a reason is one line")
	}
	plans := make([]*plan, len(targets))
	for i, t := range targets {
		p, err := newPlan(ctx, t, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Dev.Dialect(), err)
		}
		plans[i] = p
	}
	if err := overlooked(plans); err != nil {
		return nil, err
	}
	if err := refusal(r.Name, plans); err != nil {
		return nil, err
	}
	labels := labels(plans)
	for _, t := range targets {
		if err := r.follow(t.Folder); err != nil {
			return nil, err
		}
	}
	names := r.names(labels)
	var refused []string
	steps := make([][]step, len(targets))
	for i, t := range targets {
		steps[i] = plans[i].steps(0)
		whys, err := plans[i].allow(t.Folder, names, steps[i])
		if err != nil {
			return nil, err
		}
		refused = append(refused, whys...)
	}
	if len(refused) > 0 {
		return nil, lintRefuses(r.Name, refused)
	}
	reports := make([]Report, len(targets))
	for i, t := range targets {
		files, err := write(t.Folder, names, steps[i])
		if err != nil {
			return nil, err
		}
		reports[i] = Report{t.Dev.Dialect(), plans[i].words.lines(), files, plans[i].shutsOut}
	}
	return reports, nil
}

// follow makes the version a later one than those in the folder: the files of
// the last migration may reach a few seconds ahead of its time.
func (r *Request) follow(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.sql"))
	if err != nil || len(names) == 0 {
		return err
	}
	version, _, _ := strings.Cut(filepath.Base(slices.Max(names)), "_")
	last, err := time.Parse(versionLayout, version)
	if err != nil {
		return err
	}
	if !r.Version.After(last) {
		r.Version = last.Add(time.Second)
	}
	return nil
}

// labels name the files, which are as many as the longest plan has.
func labels(plans []*plan) (labels []string) {
	for _, p := range plans {
		for i, s := range p.steps(0) {
			switch {
			case i == len(labels):
				labels = append(labels, s.label)
			case labels[i] == "":
				labels[i] = s.label
			}
		}
	}
	if len(labels) > 0 {
		labels[0] = "" // the first is what the developer called it
	}
	return labels
}

// names are the files' names, a second apart.
func (r *Request) names(labels []string) (names []string) {
	for i, label := range labels {
		name := r.Version.Add(time.Duration(i)*time.Second).Format(versionLayout) + "_" + r.Name
		if label != "" {
			name += "_" + label
		}
		names = append(names, name+".sql")
	}
	return names
}

// write writes the files of a dialect and renews the checksum.
func write(folder string, names []string, steps []step) (paths []string, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	dir, err := migrate.NewLocalDir(folder)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		text := "-- +goose Up\n-- Nothing to do here: this version is for the other database.\n"
		if i < len(steps) {
			text = steps[i].String()
		}
		if err := dir.WriteFile(name, []byte(text)); err != nil {
			return nil, err
		}
		paths = append(paths, filepath.Join(folder, name))
	}
	return paths, writeSum(dir)
}

// Sum renews the checksum of a folder, for a migration that was written or amended
// by hand. A released one is held by the record of its release.
func Sum(folder string) error {
	dir, err := migrate.NewLocalDir(folder)
	if err != nil {
		return err
	}
	return writeSum(dir)
}

func writeSum(dir *migrate.LocalDir) error {
	sum, err := dir.Checksum()
	if err != nil {
		return err
	}
	return migrate.WriteSumFile(dir, sum)
}

// empty gives the replica back as it was.
func (r *replica) empty(ctx context.Context) error {
	if err := r.close(ctx); err != nil || r.db.Dialect() != dialect.SQLite {
		return err
	}
	return r.run(ctx, "PRAGMA foreign_keys = on")
}
