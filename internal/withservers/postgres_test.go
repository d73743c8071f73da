package main

import "testing"

func TestParseMajor(t *testing.T) {
	for line, want := range map[string]int{
		"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n": 15,
		"postgres (PostgreSQL) 18.1":                             18,
		"postgres (PostgreSQL) 19beta2":                          19,
		"postgres (PostgreSQL) 9.6.24":                           9,
		"postgres: command not found":                            0,
		"":                                                       0,
	} {
		if got := parseMajor(line); got != want {
			t.Errorf("%q is version %d, not %d", line, got, want)
		}
	}
}
