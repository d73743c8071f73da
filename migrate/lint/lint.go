// Package lint judges migrations before they run: what destroys data, rewrites or
// locks a table, or breaks the program that still runs while they are applied.
//
// It reads the words of a statement, not its meaning: it knows the forms that
// people and the generator write, and says of any other that it does not, so that
// nothing passes unseen. Why it is no full parser is in docs/adr/0013.
package lint

import (
	"slices"
	"strings"

	"entgo.io/ent/dialect"

	"records/migrate/script"
)

// Rule is what is wrong with a statement.
type Rule string

// The rules. The first four are about the statement, the others about what stands
// in the way of judging it.
const (
	Destroys Rule = "destroys" // data is lost
	Rewrites Rule = "rewrites" // the whole table is written anew under a lock
	Locks    Rule = "locks"    // writers or readers wait for longer than a moment
	Breaks   Rule = "breaks"   // the program that still runs would fail
	Unknown  Rule = "unknown"  // lint does not know the statement
	Override Rule = "override" // a comment that is to silence rules does not
)

var overridable = []Rule{Destroys, Rewrites, Locks, Breaks, Unknown}

// Finding is one fault of one statement.
type Finding struct {
	Rule      Rule   `json:"rule"`
	Dialect   string `json:"dialect"` // postgres or sqlite
	File      string `json:"file"`
	Line      int    `json:"line"`
	Statement string `json:"statement"` // its first line
	Why       string `json:"why"`
	Recipe    string `json:"recipe"` // the safe way
}

// Pending judges files[from:] as what is going to be applied together: what is
// done to a table that is created among them harms nobody. The files before them
// tell what is there already.
func Pending(dialectName string, files []*script.File, from int) []Finding {
	return judge(dialectName, files, from, false)
}

// Each judges files[from:] one by one, each as the only one that is pending: by
// then a program may run that knows all those before it.
func Each(dialectName string, files []*script.File, from int) []Finding {
	return judge(dialectName, files, from, true)
}

// judge looks both ways and tells what it finds in one. A comment may allow what is
// found in the other only: it stays right when the release has moved on.
func judge(dialectName string, files []*script.File, from int, each bool) []Finding {
	other := newLinter(dialectName)
	other.run(files, from, !each)
	l := newLinter(dialectName)
	l.other = other.found
	l.run(files, from, each)
	return l.findings
}

// linter goes through migrations in their order.
type linter struct {
	dialect  string
	schema   *schema
	judging  bool
	findings []Finding
	found    map[place][]fault // before comments
	other    map[place][]fault // those that are found the other way

	// of the file at hand
	script  *script.File
	verdict []verdict // one a statement
	state   fileState
}

// place is a statement of a migration.
type place struct {
	script *script.File
	number int
}

// run judges files[from:], together or each by itself.
func (l *linter) run(files []*script.File, from int, each bool) {
	for i, file := range files {
		l.judging = i >= from
		if i <= from || each {
			l.schema.settle()
		}
		l.file(file)
	}
}

// verdict is what was found wrong with a statement.
type verdict struct{ faults []fault }

type fault struct {
	rule        Rule
	why, recipe string
}

func newLinter(dialectName string) *linter {
	name := "sqlite"
	if dialectName == dialect.Postgres {
		name = "postgres"
	}
	return &linter{dialect: name, schema: newSchema(), found: map[place][]fault{}}
}

func (l *linter) postgres() bool { return l.dialect == "postgres" }

// file judges the statements of a file, then what they come to together, and
// takes away what its comments allow.
func (l *linter) file(file *script.File) {
	l.script, l.verdict, l.state = file, make([]verdict, len(file.Statements)), newFileState(l.schema)
	for i, s := range file.Statements {
		l.state.at = i
		l.statement(s)
	}
	l.triggers()
	if !l.judging {
		return
	}
	for i, s := range file.Statements {
		l.found[place{file, s.Number}] = l.verdict[i].faults
		l.report(s, l.verdict[i].faults)
	}
	for _, c := range file.Loose {
		if isOverride(c.Text) {
			l.find(c.Line, "-- "+c.Text, fault{Override, "It stands above no statement, so that it allows nothing", "Put it on a line of its own, directly above the statement"})
		}
	}
}

// add notes a fault of the statement at hand.
func (l *linter) add(rule Rule, why, recipe string) { l.addTo(l.state.at, rule, why, recipe) }

func (l *linter) addTo(at int, rule Rule, why, recipe string) {
	v := &l.verdict[at]
	if !slices.ContainsFunc(v.faults, func(f fault) bool { return f.rule == rule && f.why == why }) {
		v.faults = append(v.faults, fault{rule, why, recipe})
	}
}

func (l *linter) unknown(what string) {
	l.add(Unknown, "Lint does not understand "+what+", so that it cannot tell what it does", recipeUnknown)
}

// report keeps the faults that no comment allows, and the faults of the comments.
func (l *linter) report(s script.Statement, faults []fault) {
	allowed := map[Rule]bool{}
	for _, c := range s.Comments {
		if !isOverride(c.Text) {
			continue
		}
		rules, wrong := parseOverride(c.Text)
		for _, rule := range rules {
			if wrong == "" && !does(faults, rule) && !does(l.other[place{l.script, s.Number}], rule) {
				wrong = "It allows " + string(rule) + ", which the statement below does not do"
			}
		}
		if wrong != "" {
			l.find(c.Line, "-- "+c.Text, fault{Override, wrong, recipeOverride})
			continue
		}
		for _, rule := range rules {
			allowed[rule] = true
		}
	}
	for _, f := range faults {
		if !allowed[f.rule] {
			l.find(s.Line, s.First(), f)
		}
	}
}

// does reports whether faults hold a rule. What rewrites a table locks it, too.
func does(faults []fault, rule Rule) bool {
	return slices.ContainsFunc(faults, func(f fault) bool {
		return f.rule == rule || rule == Locks && f.rule == Rewrites
	})
}

func (l *linter) find(line int, statement string, f fault) {
	l.findings = append(l.findings, Finding{f.rule, l.dialect, l.script.Name, line, statement, f.why, f.recipe})
}

// isOverride reports whether a comment is addressed to lint.
func isOverride(text string) bool {
	return strings.HasPrefix(strings.ToLower(text), "records:")
}

// parseOverride reads `records: allow destroys, breaks: <reason>`. wrong says what
// is wrong with it, "" for nothing.
func parseOverride(text string) (rules []Rule, wrong string) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text[len("records:"):]), "allow ")
	if !ok {
		return nil, "It is not of the form that allows something"
	}
	names, reason, _ := strings.Cut(rest, ":")
	for name := range strings.SplitSeq(names, ",") {
		rule := Rule(strings.TrimSpace(name))
		if !slices.Contains(overridable, rule) {
			return nil, "There is no rule \"" + string(rule) + "\" to allow"
		}
		rules = append(rules, rule)
	}
	if strings.TrimSpace(reason) == "" {
		return nil, "It gives no reason"
	}
	return rules, ""
}
