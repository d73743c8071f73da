// Package programtest builds the program, for tests that run it as operators do.
package programtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// buildTimeout is for a machine that has built nothing yet.
const buildTimeout = 5 * time.Minute

// Run builds the program once for all tests of a package, says by binary where it is,
// runs them, and returns the exit code.
func Run(m *testing.M, binary *string) int {
	folder, err := os.MkdirTemp("", "records-program-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	if *binary, err = Build(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// Build builds cmd/records into a folder and returns the file, with the race detector
// if the test has it, and with further flags of go build.
func Build(folder string, flags ...string) (string, error) {
	file := filepath.Join(folder, "records")
	args := append([]string{"build", "-o", file}, flags...)
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
