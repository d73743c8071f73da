package server

import (
	"context"
	"errors"
	"strings"

	"records/ent/migrate"
)

// unmade is what keeps a server from being ready whose database lacks tables, as one
// that is being restored.
func (s *Server) unmade(ctx context.Context) error {
	var tables []string
	for _, t := range migrate.Tables {
		tables = append(tables, t.Name)
	}
	missing, err := s.DB.Missing(ctx, tables)
	if err != nil {
		return notReady("The database cannot be reached.", err)
	}
	if len(missing) > 0 {
		return notReady("Tables are missing in the database.", errors.New("missing: "+strings.Join(missing, ", ")))
	}
	return nil
}
