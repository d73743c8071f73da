package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A release is recorded, made again until it is tagged, and refused whenever it
// would break what was released.
func TestRelease(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.released(t, "v0.1.0")
	if log := r.read(t, "CHANGELOG.md"); !strings.Contains(log, "## [Unreleased]\n\n## [0.1.0] - 2") {
		t.Error(log)
	}
	for _, name := range []string{"openapi.json", "migrations.sha256", "sqlite/data.sql", "sqlite/answers.ndjson", "postgres/data.sql", "postgres/answers.ndjson"} {
		if r.read(t, "internal/release/testdata/v0.1.0/"+name) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	r.refused(t, "v0.2.0", "nothing under Unreleased")
	r.released(t, "v0.1.0") // again
	r.run(t, "git", "tag", "v0.1.0")
	r.refused(t, "v0.1.0", "v0.1.0 is tagged already")
	r.refused(t, "v0.0.9", "no later version")
	for _, version := range []string{"v", "v1", "v1.2", "v01.2.3", "v1.2.3-rc.1", "vv1.2.3"} {
		r.refused(t, version, "want a version such as 0.2.0")
	}

	r.write(t, "CHANGELOG.md", strings.Replace(r.read(t, "CHANGELOG.md"), "## [Unreleased]\n", "## [Unreleased]\n\n### Fixed\n\n- A fault.\n", 1))
	r.refused(t, "v0.2.0", "the tree is not clean")
	r.run(t, "git", "commit", "-qam", "fix")

	const description = "ent/rest/openapi.json"
	migrations, err := fs.Glob(os.DirFS(string(r)), "migrate/sqlite/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	migration := migrations[0]
	whole, script := r.read(t, description), r.read(t, migration)
	r.commit(t, description, strings.Replace(whole, `"listTasks"`, `"tasksList"`, 1))
	r.refused(t, "v0.2.0", "since v0.1.0: GET /tasks: api operation id `listTasks` removed")
	r.commit(t, description, whole)
	r.commit(t, migration, script+"-- a word\n")
	r.refused(t, "v0.2.0", migration+" was released and has been edited")
	r.commit(t, migration, script)

	for _, folder := range folders {
		r.write(t, "migrate/"+folder+"/20990101000000_more.sql", "-- +goose Up\n")
	}
	r.run(t, "git", "add", ".")
	r.run(t, "git", "commit", "-qm", "a migration")
	r.refused(t, "v0.1.1", "v0.1.1 cannot be a patch")
	r.released(t, "v0.2.0")
	if log := r.read(t, "CHANGELOG.md"); !strings.Contains(log, "- A fault.\n\n## [0.1.0] - 2") {
		t.Error(log)
	}
}

// repository is a copy of what a release is made of.
type repository string

func newRepository(t *testing.T) repository {
	t.Helper()
	r := repository(t.TempDir())
	if err := os.CopyFS(filepath.Join(string(r), "migrate"), os.DirFS(here.migrations())); err != nil {
		t.Fatal(err)
	}
	description, err := os.ReadFile(here.description())
	if err != nil {
		t.Fatal(err)
	}
	r.write(t, "ent/rest/openapi.json", string(description))
	r.write(t, "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- All.\n")
	r.run(t, "git", "init", "-q")
	r.run(t, "git", "config", "user.name", "test")
	r.run(t, "git", "config", "user.email", "test@example.com")
	r.run(t, "git", "config", "commit.gpgsign", "false")
	r.run(t, "git", "add", ".")
	r.run(t, "git", "commit", "-qm", "first")
	return r
}

// released makes a release and commits it.
func (r repository) released(t *testing.T, version string) {
	t.Helper()
	if err := release(t.Context(), tree(r), version); err != nil {
		t.Fatal(err)
	}
	r.run(t, "git", "add", ".")
	r.run(t, "git", "commit", "-qm", version)
}

// refused wants a release to fail for a reason, and to change nothing.
func (r repository) refused(t *testing.T, version, want string) {
	t.Helper()
	before := r.run(t, "git", "status", "--porcelain")
	if err := release(t.Context(), tree(r), version); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v; want %q", version, err, want)
	}
	if after := r.run(t, "git", "status", "--porcelain"); after != before {
		t.Errorf("%s: changed\n%s", version, after)
	}
}

func (r repository) commit(t *testing.T, name, content string) {
	t.Helper()
	r.write(t, name, content)
	r.run(t, "git", "commit", "-qam", "change "+name)
}

func (r repository) write(t *testing.T, name, content string) {
	t.Helper()
	name = filepath.Join(string(r), name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (r repository) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(string(r), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (r repository) run(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	command := exec.Command(name, arguments...)
	command.Dir = string(r)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, arguments, err, out)
	}
	return string(out)
}
