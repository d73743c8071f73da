package replicas

import (
	"flag"
	"os"
	"testing"

	"records/internal/programtest"
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
	os.Exit(programtest.Run(m, &binary))
}
