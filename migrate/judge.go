package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/migrate/lint"
	"records/migrate/script"
)

// Lint judges what the database lacks, as one step: what is done to a table that
// is created in it harms nobody.
func (s *Source) Lint(ctx context.Context, db *database.DB) ([]lint.Finding, error) {
	known, err := s.read(db.Dialect())
	if err != nil {
		return nil, err
	}
	standing, err := s.Compare(ctx, db)
	if err != nil || standing.Err() != nil || len(standing.Pending) == 0 {
		return nil, errors.Join(err, standing.Err())
	}
	from := slices.IndexFunc(known, func(m migration) bool { return m.Name == standing.Pending[0] })
	return lint.Pending(db.Dialect(), scripts(known), from), nil
}

// LintSince judges the migrations of both dialects that are newer than a version,
// as one step: what a program of that version is upgraded by. A version that no
// migration has is an error; 0 is that of a database without any.
func (s *Source) LintSince(version int64) ([]lint.Finding, error) {
	names, err := fs.Glob(s.files, fmt.Sprintf("*/%d_*.sql", version))
	if err == nil && len(names) == 0 && version != 0 {
		err = fmt.Errorf("no migration has the version %d: `records migrate status` names those that there are", version)
	}
	if err != nil {
		return nil, err
	}
	return s.lint(lint.Pending, version)
}

// LintAll judges every migration of both dialects by itself, each as a step from
// those before it.
func (s *Source) LintAll() ([]lint.Finding, error) { return s.lint(lint.Each, 0) }

func (s *Source) lint(judge func(string, []*script.File, int) []lint.Finding, version int64) (all []lint.Finding, err error) {
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		known, err := s.read(d)
		if err != nil {
			return nil, err
		}
		from := slices.IndexFunc(known, func(m migration) bool { return m.Version > version })
		if from >= 0 {
			all = append(all, judge(d, scripts(known), from)...)
		}
	}
	return all, nil
}

func scripts(all []migration) []*script.File {
	files := make([]*script.File, len(all))
	for i, m := range all {
		files[i] = m.File
	}
	return files
}

// breaks reports whether a program that does not know the migration cannot serve
// the database once it is applied. It judges the migration by itself, whatever is
// applied together with it: a program may know all those before it. What lint does
// not understand counts, unless a comment allows it; a comment that says that older
// programs are shut out allows nothing.
func (u *up) breaks(m migration) bool {
	at := slices.IndexFunc(u.migrations, func(o migration) bool { return o.Version == m.Version })
	return slices.ContainsFunc(lint.Each(u.db.Dialect(), scripts(u.migrations[:at+1]), at), lint.Finding.ShutsOut)
}
