package main_test

import (
	"flag"
	"os"
	"testing"

	"records/internal/programtest"
)

// binary is the program, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // the tests wait more than they compute
	os.Exit(programtest.Run(m, &binary))
}
