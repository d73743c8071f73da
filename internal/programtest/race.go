//go:build race

package programtest

// Race is whether the program is built with the race detector.
const Race = true
