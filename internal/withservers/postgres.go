package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"syscall"

	"records/internal/pgcluster"
)

// startPostgres makes a cluster in the folder and serves it.
func startPostgres(ctx context.Context, bin, folder string, durable bool) (*process, string, error) {
	cluster, err := pgcluster.New(bin, folder)
	if err != nil {
		return nil, "", err
	}
	if err := cluster.Init(ctx); err != nil {
		return nil, "", err
	}
	p, port, err := launchOnFreePort(ctx, filepath.Join(folder, "postgres.log"), syscall.SIGQUIT,
		func(port int) *exec.Cmd { return cluster.Serve(port, postgresSettings(durable)...) }, cluster.Ready)
	if err != nil {
		return nil, "", err
	}
	return p, pgcluster.URL(port), nil
}

// postgresSettings are those of a server whose data nobody will miss. A durable one
// writes as if they would, and leaves maintenance out: it would fall into one
// measurement and not into the other.
func postgresSettings(durable bool) []string {
	if durable {
		return []string{"max_connections=300", "shared_buffers=1GB", "max_wal_size=8GB", "checkpoint_timeout=1h", "autovacuum=off"}
	}
	return []string{"max_connections=300", "shared_buffers=128MB", "fsync=off", "synchronous_commit=off", "full_page_writes=off"}
}
