//go:build race

package main_test

// raceEnabled is whether the program is built with the race detector.
const raceEnabled = true
