// Package browser holds the tests of the developer area in a real browser: the
// journey of somebody new, and what every page is held to, which are axe, both
// themes, a phone's width, a quiet console and the content policy.
//
// TEST_CHROMIUM names the program; axe comes from tools/browser. `make test` sees to
// both. Without them a test fails: it is never skipped.
package browser
