package lint

import (
	"slices"
	"strings"

	"records/migrate/script"
)

// override is what a comment says of the statement below it, with its reason.
type override struct {
	rules    []Rule // that it silences
	shutsOut bool   // it says that older programs cannot serve what is left, and that they are to refuse
	reason   string
}

// report keeps the faults that no comment allows, and the faults of the comments.
// Those by which older programs are shut out are kept where a comment says so, too:
// whoever applies the migration has to know.
func (l *linter) report(s script.Statement, faults []fault) {
	allowed, known := map[Rule]bool{}, ""
	for _, c := range s.Comments {
		if !isOverride(c.Text) {
			continue
		}
		o, wrong := parseOverride(c.Text)
		if wrong == "" {
			wrong = o.idle(append(slices.Clone(faults), l.other[place{l.script, s.Number}]...))
		}
		if wrong != "" {
			l.find(c.Line, "-- "+c.Text, fault{rule: Override, why: wrong, recipe: recipeOverride})
			continue
		}
		for _, rule := range o.rules {
			allowed[rule] = true
		}
		if o.shutsOut {
			known = o.reason
		}
	}
	for _, f := range faults {
		if known != "" && f.rule.shutsOut() {
			f.known = known
		}
		if f.known != "" || !allowed[f.rule] {
			l.find(s.Line, s.First(), f)
		}
	}
}

// idle says what an override is for that the statement below it does not do, ""
// for nothing.
func (o override) idle(faults []fault) string {
	for _, rule := range o.rules {
		// What rewrites a table locks it, too.
		does := func(f fault) bool { return f.rule == rule || rule == Locks && f.rule == Rewrites }
		if !slices.ContainsFunc(faults, does) {
			return "It allows " + string(rule) + ", which the statement below does not do"
		}
	}
	if o.shutsOut && !slices.ContainsFunc(faults, func(f fault) bool { return f.rule.shutsOut() }) {
		return "It shuts out older programs, which the statement below does not break"
	}
	return ""
}

// isOverride reports whether a comment is addressed to lint.
func isOverride(text string) bool {
	return strings.HasPrefix(strings.ToLower(text), "records:")
}

// parseOverride reads `records: allow destroys, breaks: <reason>` and
// `records: shuts out older programs: <reason>`. wrong says what is wrong with it,
// "" for nothing.
func parseOverride(text string) (o override, wrong string) {
	what, reason, _ := strings.Cut(strings.TrimSpace(text[len("records:"):]), ":")
	names, allows := strings.CutPrefix(what, "allow ")
	o.shutsOut, o.reason = what == "shuts out older programs", strings.TrimSpace(reason)
	if !allows && !o.shutsOut {
		return o, "It is not of the form that allows something"
	}
	if allows {
		for name := range strings.SplitSeq(names, ",") {
			o.rules = append(o.rules, Rule(strings.TrimSpace(name)))
		}
	}
	for _, rule := range o.rules {
		if !slices.Contains(overridable, rule) {
			return o, "There is no rule \"" + string(rule) + "\" to allow"
		}
	}
	if o.reason == "" {
		return o, "It gives no reason"
	}
	return o, ""
}
