package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"records/internal/scratchdb"
	"records/migrate"
)

// folders are the dialects, as the folders of their migrations are called.
var folders = []string{"postgres", "sqlite"}

// write makes the record of a version, or makes it again.
func (t tree) write(ctx context.Context, version string) error {
	description, err := os.ReadFile(t.description())
	if err != nil {
		return err
	}
	migrations, err := sumsOf(os.DirFS(t.migrations()))
	if err != nil {
		return err
	}
	files := map[string][]byte{"openapi.json": description, "migrations.sha256": []byte(migrations.String())}
	for _, folder := range folders {
		data, answers, err := recordData(ctx, folder)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		files[filepath.Join(folder, "data.sql")] = data
		files[filepath.Join(folder, "answers.ndjson")] = answers
	}
	if err := os.RemoveAll(t.record(version)); err != nil {
		return err
	}
	for name, content := range files {
		name = filepath.Join(t.record(version), name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// recordData fills a database of a dialect, and returns its rows and what the
// server says about them.
func recordData(ctx context.Context, folder string) (data, answers []byte, err error) {
	db, drop, err := scratchdb.Open(ctx, folder, "make release")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	if _, err := migrate.Up(ctx, db); err != nil {
		return nil, nil, err
	}
	empty, err := emptyTables(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	tokens, err := fill(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	if data, err = dump(ctx, db, empty); err != nil {
		return nil, nil, err
	}
	answers, err = ask(ctx, db, tokens)
	return data, answers, err
}
