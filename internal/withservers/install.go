package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// installTries is how often the packages are asked for: a mirror may be out of
// reach for a moment.
const installTries = 3

// install gets the missing services as Debian packages, where that can be done
// without asking anyone.
func install(missing []service) error {
	if len(missing) == 0 {
		return nil
	}
	apt, err := aptGet()
	if err != nil {
		return howTo(missing, err)
	}
	var packages []string
	for _, s := range missing {
		packages = append(packages, strings.Fields(s.packages)...)
	}
	fmt.Fprintf(os.Stderr, "withservers: installing %s with apt-get\n", strings.Join(packages, " and "))
	for try := 1; ; try++ {
		out, err := installPackages(apt, packages)
		if err == nil {
			return nil
		}
		if try == installTries {
			fmt.Fprintf(os.Stderr, "%s", out)
			return howTo(missing, err)
		}
		time.Sleep(time.Duration(try) * 5 * time.Second)
	}
}

func installPackages(apt, packages []string) ([]byte, error) {
	if out, err := aptRun(apt, "update"); err != nil {
		return out, fmt.Errorf("apt-get update: %w", err)
	}
	out, err := aptRun(apt, append([]string{"install", "--yes", "--no-install-recommends"}, packages...)...)
	if err != nil {
		return out, fmt.Errorf("apt-get install: %w", err)
	}
	return out, nil
}

// aptGet returns the command line of apt-get with the rights to install, sudo's
// included if it asks for no password.
func aptGet() ([]string, error) {
	apt := lookUp("apt-get")
	if apt == "" {
		return nil, errors.New("there is no apt-get to install it with")
	}
	// env: sudo does not hand on the variables it is called with. The maintainer
	// scripts need the folders of the system's administration in PATH.
	command := []string{
		"/usr/bin/env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C",
		"PATH=" + strings.Join(systemFolders, ":"),
		apt, "--quiet", "-o", "DPkg::Lock::Timeout=120",
	}
	if os.Geteuid() == 0 {
		return command, nil
	}
	sudo := lookUp("sudo")
	if sudo == "" || exec.Command(sudo, "--non-interactive", "true").Run() != nil {
		return nil, errors.New("apt-get needs root, and sudo without a password is not to be had")
	}
	return append([]string{sudo, "--non-interactive"}, command...), nil
}

func aptRun(apt []string, args ...string) ([]byte, error) {
	var out bytes.Buffer
	cmd := exec.Command(apt[0], append(apt[1:len(apt):len(apt)], args...)...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.Bytes(), err
}
