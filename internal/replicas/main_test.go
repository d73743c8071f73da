package replicas

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var (
	changes = flag.Int("changes", 20, "how many changes of keys are followed")
	rows    = flag.Int("rows", 50_000, "how many records there are when the schema is upgraded")
	old     = flag.String("old", "", "the program that is upgraded from; this one if it is empty")
)

// binary is the program, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "4") // the tests wait more than they compute
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	folder, err := os.MkdirTemp("", "records-replicas-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	binary = filepath.Join(folder, "records")
	if err := build(binary); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// build makes the program.
func build(to string, flags ...string) error {
	args := append([]string{"build", "-o", to}, flags...)
	if raceEnabled {
		args = append(args, "-race")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "go", append(args, "records/cmd/records")...).CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}
