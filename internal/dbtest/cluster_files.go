package dbtest

import (
	"context"
	"os/exec"
	"testing"
)

// ColdCluster is a PostgreSQL of a test's own that has no files yet and is not
// started: whoever restores a base backup puts them into the folder of Data.
func ColdCluster(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	return newCluster(t, settings)
}

// Data is the folder of the cluster's files, which its owner alone may enter.
func (c *Cluster) Data() string { return c.files.Data() }

// Shell returns a shell that runs a script as the owner of the cluster's files.
func (c *Cluster) Shell(ctx context.Context, script string) (*exec.Cmd, error) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		return nil, err
	}
	cmd := c.files.Command(ctx, "bash", "-euo", "pipefail", "-c", script)
	cmd.Path, cmd.Err = bash, nil
	return cmd, nil
}
