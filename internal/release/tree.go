package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/mod/semver"
)

// tree is the folder of the repository.
type tree string

func (t tree) path(parts ...string) string {
	return filepath.Join(append([]string{string(t)}, parts...)...)
}

// record is the folder of a release, such as v0.1.0. What is in it:
//
//	openapi.json            the description
//	migrations.sha256       the migrations, as sha256sum writes them
//	DIALECT/data.sql        every row of a database of that release, as INSERTs
//	DIALECT/answers.ndjson  what the release served of it
func (t tree) record(version string) string {
	return t.path("internal", "release", "testdata", version)
}

func (t tree) description() string { return t.path("ent", "rest", "openapi.json") }
func (t tree) migrations() string  { return t.path("migrate") }
func (t tree) changelog() string   { return t.path("CHANGELOG.md") }

// releases are the recorded versions, oldest first.
func (t tree) releases() ([]string, error) {
	entries, err := os.ReadDir(t.record(""))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		if !versionForm.MatchString(e.Name()) {
			return nil, fmt.Errorf("%s is no release", t.record(e.Name()))
		}
		all = append(all, e.Name())
	}
	slices.SortFunc(all, semver.Compare)
	return all, nil
}

// versionForm is MAJOR.MINOR.PATCH: no pre-releases, for what they promise
// could be taken back.
var versionForm = regexp.MustCompile(`^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$`)
