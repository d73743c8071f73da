package main

import "testing"

func TestCut(t *testing.T) {
	t.Parallel()
	const top = "# Changelog\n\nWords.\n\n## [Unreleased]\n"
	const older = "\n## [0.1.0] - 2026-01-01\n\n### Added\n\n- First.\n"
	for name, c := range map[string]struct{ before, version, want string }{
		"the first release": {top + "\n### Added\n\n- One\n  of two lines.\n- Two.\n\n### Fixed\n\n- Three.\n", "0.1.0",
			top + "\n## [0.1.0] - 2026-11-21\n\n### Added\n\n- One\n  of two lines.\n- Two.\n\n### Fixed\n\n- Three.\n"},
		"the next one": {top + "\n### Added\n\n- Second.\n" + older, "0.2.0",
			top + "\n## [0.2.0] - 2026-11-21\n\n### Added\n\n- Second.\n" + older},
		"made again, with more": {top + "\n### Fixed\n\n- More.\n\n### Added\n\n- Second.\n" + older, "0.1.0",
			top + "\n## [0.1.0] - 2026-11-21\n\n### Added\n\n- First.\n- Second.\n\n### Fixed\n\n- More.\n"},
		"made again, with no more": {top + older, "0.1.0",
			top + "\n## [0.1.0] - 2026-11-21\n\n### Added\n\n- First.\n"},
		"no headings": {top + "\nAll is new.\n", "0.1.0",
			top + "\n## [0.1.0] - 2026-11-21\n\nAll is new.\n"},
	} {
		if got, err := cut(c.before, c.version, "2026-11-21"); err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.want)
		}
	}
	for name, before := range map[string]string{
		"nothing new": top + older, "empty headings": top + "\n### Added\n\n" + older, "no section": "# Changelog\n",
	} {
		if got, err := cut(before, "0.2.0", "2026-11-21"); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}
