package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// oldestPostgres is the first major version that has what the migrations use.
const oldestPostgres = 15

// systemFolders are searched after PATH, which is short on some CI machines.
var systemFolders = []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}

// postgresFolders are where packages put PostgreSQL without adding it to PATH:
// Debian, Red Hat, Homebrew.
var postgresFolders = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql*/bin",
	"/usr/local/opt/postgresql*/bin",
	"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
}

// locate returns where each service is installed, after installing what is not.
func locate(wanted []service) ([]string, error) {
	var missing []service
	for _, s := range wanted {
		if s.find() == "" {
			missing = append(missing, s)
		}
	}
	if err := install(missing); err != nil {
		return nil, err
	}
	var places []string
	for _, s := range wanted {
		place := s.find()
		if place == "" {
			return nil, howTo([]service{s}, errors.New("the installed package is not it"))
		}
		places = append(places, place)
	}
	return places, nil
}

// lookUp finds a program in PATH, the system's folders and further ones.
func lookUp(name string, further ...string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, folder := range append(systemFolders, further...) {
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path
		}
	}
	return ""
}

// findChromium returns the browser's program, under one of the names that it has.
func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"} {
		if path := lookUp(name); path != "" {
			return path
		}
	}
	return ""
}

// findPostgres returns the folder of PostgreSQL's programs: the one in PATH if it
// will do, else the newest.
func findPostgres() string {
	if path, err := filepath.EvalSymlinks(lookUp("postgres")); err == nil { // to where its other programs are
		if folder := filepath.Dir(path); postgresMajor(folder) >= oldestPostgres {
			return folder
		}
	}
	newest, best := "", oldestPostgres-1
	for _, pattern := range postgresFolders {
		folders, _ := filepath.Glob(pattern) // the only error is a bad pattern
		for _, folder := range folders {
			if major := postgresMajor(folder); major > best {
				newest, best = folder, major
			}
		}
	}
	return newest
}

// postgresPrograms are those that stand beside the server's own.
var postgresPrograms = []string{"initdb", "pg_basebackup", "pg_dump", "pg_restore", "psql"}

// postgresMajor asks the server program in a folder for its version, 0 for none, or
// for one that lacks the programs beside it.
func postgresMajor(folder string) int {
	for _, program := range postgresPrograms {
		if _, err := os.Stat(filepath.Join(folder, program)); err != nil {
			return 0
		}
	}
	out, err := exec.Command(filepath.Join(folder, "postgres"), "--version").Output()
	if err != nil {
		return 0
	}
	return parseMajor(string(out))
}

var postgresVersion = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// parseMajor reads a line such as "postgres (PostgreSQL) 15.18 (Debian …)".
func parseMajor(line string) int {
	match := postgresVersion.FindStringSubmatch(line)
	if match == nil {
		return 0
	}
	major, err := strconv.Atoi(match[1])
	if err != nil {
		return 0
	}
	return major
}

// howTo says what a person can do about missing services, in one line.
func howTo(missing []service, why error) error {
	var wants, variables []string
	for _, s := range missing {
		wants = append(wants, s.wants)
		if s.variable != "" {
			variables = append(variables, s.variable)
		}
	}
	advice := "install " + strings.Join(wants, " and ")
	if len(variables) > 0 {
		advice += ", or set " + strings.Join(variables, " and ") + " to a server for tests"
	}
	return fmt.Errorf("%s (%w)", advice, why)
}
