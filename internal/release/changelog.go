package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// cut turns what is under "Unreleased" in a changelog into a version with its
// date, and leaves an empty "Unreleased" above it. Where the version has a
// section already, because it is made again, the two become one.
func cut(changelog, version, date string) (string, error) {
	head, rest, ok := strings.Cut(changelog, unreleased)
	if !ok {
		return "", errors.New("CHANGELOG.md has no line `## [Unreleased]`")
	}
	sections := splitBefore(rest, "## ")
	entries := parseEntries(sections[0])
	older := sections[1:]
	if len(older) > 0 && strings.HasPrefix(older[0], "## ["+version+"]") {
		_, text, _ := strings.Cut(older[0], "\n")
		entries = append(parseEntries(text), entries...)
		older = older[1:]
	}
	if len(entries) == 0 {
		return "", errors.New("CHANGELOG.md has nothing under Unreleased: what is new for those who use this release?")
	}
	return head + unreleased + fmt.Sprintf("\n## [%s] - %s\n", version, date) + entriesText(entries) + strings.Join(append([]string{""}, older...), "\n"), nil
}

const unreleased = "## [Unreleased]\n"

// entry is one line of a changelog and the heading that it is under.
type entry struct{ heading, text string }

// parseEntries reads a section. A line that is not the first of an entry
// belongs to the entry before it.
func parseEntries(section string) []entry {
	var all []entry
	heading := ""
	for _, line := range strings.Split(section, "\n") {
		switch {
		case strings.HasPrefix(line, "### "):
			heading = line
		case strings.HasPrefix(line, "- "), line != "" && (len(all) == 0 || all[len(all)-1].heading != heading):
			all = append(all, entry{heading, line})
		case line != "":
			all[len(all)-1].text += "\n" + line
		}
	}
	return all
}

// entriesText writes each heading once.
func entriesText(all []entry) string {
	var b strings.Builder
	var headings []string
	for _, e := range all {
		if !slices.Contains(headings, e.heading) {
			headings = append(headings, e.heading)
		}
	}
	for _, h := range headings {
		if h != "" {
			b.WriteString("\n" + h + "\n")
		}
		b.WriteString("\n")
		for _, e := range all {
			if e.heading == h {
				b.WriteString(e.text + "\n")
			}
		}
	}
	return b.String()
}

// splitBefore splits a text before each line that begins with prefix.
func splitBefore(text, prefix string) []string {
	starts := regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(prefix)).FindAllStringIndex(text, -1)
	var parts []string
	at := 0
	for _, s := range starts {
		parts = append(parts, text[at:s[0]])
		at = s[0]
	}
	return append(parts, text[at:])
}
