package main

import (
	"os"
	"path/filepath"
)

// broken says how the present state breaks what the releases before a version
// hold: their descriptions and their migrations. "" is before none.
func (t tree) broken(version string) ([]string, error) {
	releases, err := t.releases()
	if err != nil {
		return nil, err
	}
	var all []string
	for _, r := range releases {
		if r == version {
			continue // it is being made again
		}
		for _, held := range []func(string) ([]string, error){t.brokenDescription, t.brokenMigrations} {
			whats, err := held(r)
			if err != nil {
				return nil, err
			}
			for _, what := range whats {
				all = append(all, "since "+r+": "+what)
			}
		}
	}
	return all, nil
}

func (t tree) brokenDescription(release string) ([]string, error) {
	before, err := os.ReadFile(filepath.Join(t.record(release), "openapi.json"))
	if err != nil {
		return nil, err
	}
	now, err := os.ReadFile(t.description())
	if err != nil {
		return nil, err
	}
	return Breaks(before, now)
}

func (t tree) brokenMigrations(release string) ([]string, error) {
	released, err := t.releasedSums(release)
	if err != nil {
		return nil, err
	}
	present, err := sumsOf(os.DirFS(t.migrations()))
	if err != nil {
		return nil, err
	}
	return released.changed(present)
}

func (t tree) releasedSums(release string) (sums, error) {
	text, err := os.ReadFile(filepath.Join(t.record(release), "migrations.sha256"))
	if err != nil {
		return nil, err
	}
	return parseSums(string(text))
}
