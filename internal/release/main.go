// Command release records a release, so that nothing in it can be broken by
// accident afterwards: `make release version=0.2.0`. The tests beside it hold
// every later state of the repository against the records. See docs/release.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

func main() {
	version := flag.String("version", "", "of the release, such as 0.2.0")
	flag.Parse()
	if err := release(context.Background(), ".", "v"+*version); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
	fmt.Printf(next, "v"+*version, *version)
}

const next = `Recorded %[1]s in internal/release/testdata/%[1]s and in CHANGELOG.md. Nothing was committed or pushed. Next:

  make ci
  git add CHANGELOG.md internal/release/testdata/%[1]s
  git commit -m 'Release %[2]s'
  git tag -a %[1]s -m 'Workspace Records %[2]s'
  git push --follow-tags

Until it is tagged, the same command makes it again, from a clean tree.
`

// release does all that can fail before it changes anything in the repository.
func release(ctx context.Context, t tree, version string) error {
	if err := t.mayRelease(version); err != nil {
		return err
	}
	if broken, err := t.broken(version); err != nil {
		return err
	} else if len(broken) > 0 {
		return fmt.Errorf("%s would break what was released:\n  %s\nVersion 1 only gains: see docs/release.md", version, strings.Join(broken, "\n  "))
	}
	changelog, err := os.ReadFile(t.changelog())
	if err != nil {
		return err
	}
	changed, err := cut(string(changelog), version[1:], time.Now().UTC().Format(time.DateOnly))
	if err != nil {
		return err
	}
	if err := t.write(ctx, version); err != nil {
		return fmt.Errorf("recording %s: %w", version, err)
	}
	return os.WriteFile(t.changelog(), []byte(changed), 0o644)
}

// mayRelease refuses a version that is none, that is out already or older than
// the last one, and a tree with changes that nobody would find again.
func (t tree) mayRelease(version string) error {
	if !versionForm.MatchString(version) {
		return errors.New("want a version such as 0.2.0: make release version=0.2.0")
	}
	releases, err := t.releases()
	if err != nil {
		return err
	}
	if n := len(releases); n > 0 && semver.Compare(version, releases[n-1]) < 0 {
		return fmt.Errorf("%s is recorded already: %s is no later version", releases[n-1], version)
	}
	if tag, err := t.git("tag", "--list", version); err != nil {
		return err
	} else if tag != "" {
		return fmt.Errorf("%s is tagged already: a release is never changed", version)
	}
	if status, err := t.git("status", "--porcelain"); err != nil {
		return err
	} else if status != "" {
		return fmt.Errorf("the tree is not clean: commit first\n%s", status)
	}
	return t.mayBePatch(version, releases)
}

// mayBePatch refuses a patch with a migration: operators replace the program of
// a patch without migrating.
func (t tree) mayBePatch(version string, releases []string) error {
	releases = slices.DeleteFunc(slices.Clone(releases), func(r string) bool { return r == version })
	if len(releases) == 0 || semver.MajorMinor(releases[len(releases)-1]) != semver.MajorMinor(version) {
		return nil
	}
	last := releases[len(releases)-1]
	released, err := t.releasedSums(last)
	if err != nil {
		return err
	}
	present, err := sumsOf(os.DirFS(t.migrations()))
	if err == nil && len(present) > len(released) {
		err = fmt.Errorf("there are migrations since %s, so that %s cannot be a patch of it: raise the middle number", last, version)
	}
	return err
}

func (t tree) git(arguments ...string) (string, error) {
	command := exec.Command("git", arguments...)
	command.Dir = string(t)
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(arguments, " "), err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}
