package main

import (
	"fmt"
	"strings"
)

// page is docs/faults.md.
func page(all []fault) string {
	seen, held := 0, 0
	for _, f := range all {
		if f.unseen == "" {
			seen++
		}
		if f.held != (test{}) {
			held++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<!-- Written by go run ./internal/faults -page. -->
# Planted faults

For those who change the program, and for those who want to know what its tests are worth. `+"`make prove-faults`"+` plants each of these %d faults in a copy of the source, one at a time, and wants the tests that are named beside it to fail. The property suite of [`+"`internal/prove`"+`](../internal/prove) catches %d of them by itself; of the others the table says why not. Against %d of them row-level security, where it is on, holds alone: with the fault planted and that wall up, the test passes.

Each takes 10 to 25 seconds on two cores with little else to do, and with a warm build cache, those that the outages are to catch a minute. `+"`make prove-faults flags='-only cache'`"+` plants those with a word in their name, `+"`-from`"+` goes on from one, and `+"`-suite`"+` tries the property suite also where the table says that it sees nothing.

The list is [`+"`internal/faults`"+`](../internal/faults). A test holds that each still applies to the source, so that none is left behind by a change. Whoever finds a hole that no test sees adds the test, and the fault.

| Fault | What it opens | Tests that catch it | The property suite | Row-level security |
|---|---|---|---|---|
`, len(all), seen, held)
	for _, f := range all {
		var by []string
		for _, t := range f.by {
			if t != prove {
				by = append(by, fmt.Sprintf("[`%s`](../%s)", t.name, t.folder))
			}
		}
		if len(by) == 0 {
			by = []string{"no other"}
		}
		suite := "catches it"
		if f.unseen != "" {
			suite = "does not: " + f.unseen
		}
		third := ""
		if f.held != (test{}) {
			third = "holds"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", f.name, f.opens, strings.Join(by, ", "), suite, third)
	}
	return b.String()
}
