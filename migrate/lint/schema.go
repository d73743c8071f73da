package lint

import (
	"maps"

	"records/migrate/script"
)

// schema is what lint knows to be in the database: what the migrations read so far
// have made. A table that is not in it is taken for one that was there before.
type schema struct {
	tables    map[string]*table
	indexes   map[string]index
	triggers  map[string]trigger
	functions map[string]string // those that the migrations make, with the words of those that only count
}

type table struct {
	columns     map[string]*column
	constraints map[string]constraint
	isNew       bool   // created by what is pending
	partial     bool   // its columns are not all known
	options     string // what stands behind its columns
}

type column struct {
	kind       string // the type, its words joined
	notNull    bool
	hasDefault bool
	isNew      bool   // added by what is pending
	rules      string // what its declaration says besides the type, NULL and the default
	checked    bool   // a valid CHECK says that it is not null
	checkIsNew bool   // what is pending has added that CHECK
}

type constraint struct {
	kind    string // check, foreign, unique, primary, exclude
	notNull string // the column that a check says is not null, "" for another check
	valid   bool
	columns []string
	words   []script.Token // all that it says, but for its name
	file    string         // that added it
}

type index struct {
	table   string
	unique  bool
	isNew   bool
	on      []script.Token // what stands behind the table: columns and condition
	columns []string       // the first word of each
}

type trigger struct {
	table string
	body  []string // its statements, nil if they are not known
	text  string
}

func newSchema() *schema {
	return &schema{map[string]*table{}, map[string]index{}, map[string]trigger{}, map[string]string{}}
}

// settle makes everything old that was new: it is applied.
func (s *schema) settle() {
	for _, t := range s.tables {
		t.isNew = false
		for _, c := range t.columns {
			c.isNew, c.checkIsNew = false, false
		}
	}
	for name, i := range s.indexes {
		i.isNew = false
		s.indexes[name] = i
	}
}

// table returns a table, and one of which nothing is known if it is not there.
func (s *schema) table(name string) *table {
	if t, ok := s.tables[name]; ok {
		return t
	}
	t := newTable()
	t.partial = true
	s.tables[name] = t
	return t
}

func newTable() *table {
	return &table{columns: map[string]*column{}, constraints: map[string]constraint{}}
}

// drop forgets a table and what hangs on it.
func (s *schema) drop(name string) {
	delete(s.tables, name)
	maps.DeleteFunc(s.indexes, func(_ string, i index) bool { return i.table == name })
	maps.DeleteFunc(s.triggers, func(_ string, t trigger) bool { return t.table == name })
}

// rename gives a table another name. Its triggers go along.
func (s *schema) rename(from, to string) {
	s.tables[to] = s.table(from)
	delete(s.tables, from)
	for name, i := range s.indexes {
		if i.table == from {
			i.table = to
			s.indexes[name] = i
		}
	}
	for name, t := range s.triggers {
		if t.table == from {
			t.table = to
			s.triggers[name] = t
		}
	}
}

// column returns a column, nil if it is not known.
func (t *table) column(name string) *column { return t.columns[name] }

// fileState is what matters while one file is read.
type fileState struct {
	at        int                // the statement at hand
	before    map[string]trigger // the triggers as they were
	indexes   map[string]index   // the indexes as they were
	touched   map[string]int     // triggers, and the statement that last did something to them
	copies    map[string]copied  // by the target: what INSERT … SELECT has copied
	dropped   map[string]rebuilt // tables that were there and are dropped
	altered   map[string]bool    // tables that an ALTER TABLE of this file has locked
	loosened  []loosened         // constraints that are dropped
	unindexed []unindexed        // unique indexes that are dropped
}

type copied struct {
	from    string
	columns map[string]bool
}

// loosened is a table that has lost a constraint.
type loosened struct {
	table string
	was   constraint
	at    int
}

// unindexed is a unique index that was dropped.
type unindexed struct {
	was index
	at  int
}

type rebuilt struct {
	old *table
	at  int
}

func newFileState(s *schema) fileState {
	return fileState{
		before: maps.Clone(s.triggers), indexes: maps.Clone(s.indexes), touched: map[string]int{},
		copies: map[string]copied{}, dropped: map[string]rebuilt{}, altered: map[string]bool{},
	}
}
