// Package lint judges migrations before they run: what destroys data, rewrites or
// locks a table, or breaks the program that still runs while they are applied.
//
// It reads the words of a statement, not its meaning: it knows the forms that
// people and the generator write, and says of any other that it does not, so that
// nothing passes unseen. Why it is no full parser is in docs/adr/0013.
package lint

import (
	"slices"

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
	// Known is why it is all right that older programs are shut out by it, as a
	// comment says; "" where none does.
	Known string `json:"known,omitempty"`
}

// ShutsOut reports whether programs that do not know the migration cannot serve
// what it leaves. What lint does not understand counts.
func (f Finding) ShutsOut() bool { return f.Rule.shutsOut() }

func (r Rule) shutsOut() bool { return r == Breaks || r == Unknown }

// Unsafe returns the findings that someone has to do something about.
func Unsafe(all []Finding) (unsafe []Finding) {
	for _, f := range all {
		if f.Known == "" {
			unsafe = append(unsafe, f)
		}
	}
	return unsafe
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

// judge tells what it finds in one way. A comment may allow what is found in another
// only, from whichever migration on: it stays right when the release has moved on.
func judge(dialectName string, files []*script.File, from int, each bool) []Finding {
	l := newLinter(dialectName)
	l.noteOther(files, from, true)
	for first := range files {
		l.noteOther(files, first, false)
	}
	l.run(files, from, each)
	return l.findings
}

// noteOther keeps what is found in another way.
func (l *linter) noteOther(files []*script.File, from int, each bool) {
	other := newLinter(l.dialect)
	other.run(files, from, each)
	for at, faults := range other.found {
		l.other[at] = append(l.other[at], faults...)
	}
}

// linter goes through migrations in their order.
type linter struct {
	dialect  string
	schema   *schema
	judging  bool
	findings []Finding
	found    map[place][]fault // before comments
	other    map[place][]fault // those that are found in other ways

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
	known       string // why it may shut out older programs
}

func newLinter(dialectName string) *linter {
	name := "sqlite"
	if dialectName == dialect.Postgres {
		name = "postgres"
	}
	return &linter{dialect: name, schema: newSchema(), found: map[place][]fault{}, other: map[place][]fault{}}
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
			l.find(c.Line, "-- "+c.Text, fault{rule: Override, why: "It stands above no statement, so that it allows nothing", recipe: "Put it on a line of its own, directly above the statement"})
		}
	}
}

// add notes a fault of the statement at hand.
func (l *linter) add(rule Rule, why, recipe string) { l.addTo(l.state.at, rule, why, recipe) }

func (l *linter) addTo(at int, rule Rule, why, recipe string) {
	v := &l.verdict[at]
	if !slices.ContainsFunc(v.faults, func(f fault) bool { return f.rule == rule && f.why == why }) {
		v.faults = append(v.faults, fault{rule: rule, why: why, recipe: recipe})
	}
}

func (l *linter) unknown(what string) {
	l.add(Unknown, "Lint does not understand "+what+", so that it cannot tell what it does", recipeUnknown)
}

func (l *linter) find(line int, statement string, f fault) {
	l.findings = append(l.findings, Finding{
		Rule: f.rule, Dialect: l.dialect, File: l.script.Name, Line: line, Statement: statement, Why: f.why, Recipe: f.recipe, Known: f.known,
	})
}
