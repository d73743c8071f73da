package server

import (
	"context"
	"errors"
	"strings"

	"entgo.io/ent/dialect"

	"records/ent/migrate"
	"records/internal/rights"
)

// unmade is what keeps a server from being ready whose database lacks tables or columns,
// as one that is being restored.
func (s *Server) unmade(ctx context.Context) error {
	columns := map[string][]string{}
	for _, t := range migrate.Tables {
		for _, c := range t.Columns {
			columns[t.Name] = append(columns[t.Name], c.Name)
		}
	}
	missing, err := s.DB.Missing(ctx, columns)
	if err != nil {
		return notReady("The database cannot be reached.", err)
	}
	if len(missing) > 0 {
		return notReady("Tables or columns are missing in the database.", errors.New("missing: "+strings.Join(missing, ", ")))
	}
	return nil
}

// denied is what keeps a server from being ready whose role may not read its tables. One
// that may not write to some of them goes on with the rest: records doctor tells.
func (s *Server) denied(ctx context.Context) error {
	if s.DB.Dialect() != dialect.Postgres {
		return nil
	}
	lacking, err := rights.Lacking(ctx, s.DB.SQL(), rights.ToRead())
	if err != nil {
		return notReady("The database cannot be reached.", err)
	}
	if len(lacking) > 0 {
		return notReady(messageMayNot, errors.New("the role lacks "+strings.Join(lacking, "; ")))
	}
	return nil
}
