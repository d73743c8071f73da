package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// describeMachine names the processor, how many there are of it, and the versions
// that the figures depend on.
func describeMachine() string {
	model := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, found := strings.Cut(string(text), "model name"); found {
			line, _, _ := strings.Cut(rest, "\n")
			model = strings.TrimSpace(strings.TrimLeft(line, "\t :"))
		}
	}
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease") // "" elsewhere
	number, _, _ := strings.Cut(strings.TrimSpace(string(kernel)), "-")
	return fmt.Sprintf("%d cores of %s, %s %s, %s", runtime.NumCPU(), model, runtime.GOOS, number, runtime.Version())
}
