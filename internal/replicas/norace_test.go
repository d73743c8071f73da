//go:build !race

package replicas

// raceEnabled is whether the program is built with the race detector.
const raceEnabled = false
