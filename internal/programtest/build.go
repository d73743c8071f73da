// Package programtest builds the program, for tests that run it as operators do.
package programtest

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

// buildTimeout is for a machine that has built nothing yet.
const buildTimeout = 5 * time.Minute

// Build builds cmd/records into a folder and returns the file, with the race detector
// if the test has it.
func Build(folder string) (string, error) {
	file := filepath.Join(folder, "records")
	args := []string{"build", "-o", file}
	if Race {
		args = append(args, "-race")
	}
	ctx, cancel := context.WithTimeout(context.Background(), buildTimeout)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "go", append(args, "records/cmd/records")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return file, nil
}
