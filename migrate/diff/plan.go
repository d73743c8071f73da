package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
)

// plan is what one dialect has to do to give what the schemas declare.
type plan struct {
	*replica
	declaration Declaration
	reason      string            // why data may be lost, "" where nobody has said
	kinds       map[string]string // what the columns hold by the migrations
	release     int64             // the newest migration of the last release, 0 where it is not known
	shutsOut    bool              // the last release cannot serve what comes out

	first    []statement // in one transaction, or on PostgreSQL in one for each table
	renamed  int         // how many of them rename columns
	created  int         // how many come until the new tables are there
	fill     []statement // then: values for old records, without a lock on the table
	validate []statement // then: what looks at every row, and lets others write
	settle   []statement // with that, after it: what nobody has to look for any more, under a lock that stops everyone
	then     []step      // then: further columns that become required, one after the other
	alone    []step      // then: what runs outside of a transaction
	words    words
	asks     []ask

	there   map[string]bool     // the tables before the plan
	refers  map[string][]string // what they refer to
	before  map[string]trigger  // the triggers before the plan, by name
	wanted  map[string]trigger  // those that are to be there
	spelled map[string]trigger  // the same, in the database's own spelling
}

// step is one migration file.
type step struct {
	label      string // what it is for; "" for the first
	alone      bool   // outside of a transaction: exactly one statement
	statements []statement
}

// newPlan plans what is missing in a folder of migrations. It leaves the
// database as empty as it was.
func newPlan(ctx context.Context, t Target, r Request) (p *plan, err error) {
	tables, err := r.Declaration.tables(t.Dev.Dialect())
	if err != nil {
		return nil, err
	}
	dev, err := open(ctx, t.Dev)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dev.empty(ctx)) }()
	p = &plan{replica: dev, declaration: r.Declaration, reason: r.Reason, release: r.Released, kinds: r.Kinds, words: words{}}
	p.wanted = wantedTriggers(t.Dev.Dialect(), tables, r.Declaration.Records)
	wanted, spelled, err := dev.declared(ctx, r.Declaration, tables, p.wanted)
	if err != nil {
		return nil, err
	}
	p.spelled = spelled
	if err := dev.replay(ctx, t.Folder); err != nil {
		return nil, err
	}
	if err := p.look(ctx); err != nil {
		return nil, err
	}
	return p, p.draw(ctx, wanted, tables)
}

// look keeps what the database has before the plan.
func (p *plan) look(ctx context.Context) error {
	current, err := p.inspect(ctx)
	if err != nil {
		return err
	}
	p.there = map[string]bool{}
	for _, t := range current.Tables {
		p.there[t.Name] = true
	}
	p.refers = references(current)
	p.before, err = p.presentTriggers(ctx)
	return err
}

func (p *plan) draw(ctx context.Context, wanted *atlas.Schema, tables []*schema.Table) error {
	if err := p.rename(ctx, tables); err != nil {
		return err
	}
	p.renamed = len(p.first)
	changes, err := p.missing(ctx, wanted)
	if err != nil {
		return err
	}
	p.ask(changes)
	p.askOfKinds(changes)
	if len(p.asks) > 0 {
		return nil
	}
	p.words.add(changes)
	write := p.postgres
	if p.db.Dialect() == dialect.SQLite {
		write = p.sqlite
	}
	p.created = p.renamed
	if err := write(ctx, changes); err != nil {
		return err
	}
	for _, s := range p.steps(p.renamed) {
		if err := p.try(ctx, s.statements); err != nil {
			return err
		}
	}
	if err := p.triggers(ctx); err != nil {
		return err
	}
	return p.verify(ctx, wanted)
}

// missing is what the database lacks, or has too much of.
func (p *plan) missing(ctx context.Context, wanted *atlas.Schema) ([]atlas.Change, error) {
	current, err := p.inspect(ctx)
	if err != nil {
		return nil, err
	}
	changes, err := p.driver.SchemaDiff(current, wanted, atlas.DiffNormalized())
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if m, ok := c.(*atlas.ModifyTable); ok {
			m.Changes = simplify(m.Changes)
		}
	}
	return changes, nil
}

// try runs statements in the replica.
func (p *plan) try(ctx context.Context, statements []statement) error {
	for _, s := range statements {
		if s.begins { // a lock, and there is nobody else
			continue
		}
		if err := p.run(ctx, s.text); err != nil {
			return fmt.Errorf("trying %q: %w", s.text, err)
		}
	}
	return nil
}

// verify holds what was planned, and tried, against what is wanted: the next
// comparison must find nothing.
func (p *plan) verify(ctx context.Context, wanted *atlas.Schema) error {
	left, err := p.missing(ctx, wanted)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("the migration would not give what the schemas declare; what is left is %s", describe(left))
	}
	present, err := p.presentTriggers(ctx)
	if err != nil {
		return err
	}
	if !maps.EqualFunc(present, p.spelled, func(a, b trigger) bool { return a.text == b.text }) {
		return fmt.Errorf("the migration would not give the triggers %q, but %q", inOrder(p.spelled), inOrder(present))
	}
	if p.db.Dialect() != dialect.Postgres {
		return nil
	}
	var n int
	query := "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'n' AND cardinality(confdelsetcols) IS DISTINCT FROM 1"
	if err := p.db.SQL().QueryRowContext(ctx, query).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		return errors.New("a foreign key would set the workspace to null: ON DELETE SET NULL must name its column")
	}
	return nil
}

// steps are the files of the plan, without the statements of the first that
// are to be left out.
func (p *plan) steps(without int) (steps []step) {
	first := []step{{"", false, p.first[without:]}}
	if p.db.Dialect() == dialect.Postgres {
		first = tableByTable(p.first[without:])
	}
	rest := []step{{"fill", false, p.fill}, {"validate", false, slices.Concat(p.validate, p.settle)}}
	for _, s := range slices.Concat(first, rest, p.then, p.alone) {
		if len(s.statements) > 0 {
			steps = append(steps, s)
		}
	}
	return steps
}

// tableByTable begins a file with each further table that is altered. In one transaction
// it would hold the lock of one table while it waits for the next, and whoever writes
// holds one while he waits for the other: a new task looks at its project, a project
// that is deleted at its tasks. Under steady writes no try would come through.
func tableByTable(statements []statement) (steps []step) {
	steps = []step{{}}
	altered := ""
	for _, s := range statements {
		last := &steps[len(steps)-1]
		if another := s.alters != "" && altered != "" && s.alters != altered; another || s.begins && len(last.statements) > 0 {
			steps = append(steps, step{label: s.alters})
			last = &steps[len(steps)-1]
		}
		altered = cmp.Or(s.alters, altered)
		last.statements = append(last.statements, s)
	}
	return steps
}

// add puts what Atlas writes for the changes of a table at the end of a list.
func (p *plan) add(ctx context.Context, to *[]statement, t *atlas.Table, changes ...atlas.Change) error {
	planned, err := p.statements(ctx, &atlas.ModifyTable{T: t, Changes: changes})
	if err != nil {
		return err
	}
	for _, c := range planned {
		*to = append(*to, newStatement(c.Comment, c.Cmd))
	}
	return nil
}
