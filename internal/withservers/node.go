package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// oldestNode is the first version that the linters and generators of the API's
// description run on: that of Debian 12.
var oldestNode = [2]int{18, 18}

// findNode returns the folder of Node.js, if npm is there too.
func findNode() string {
	node := lookUp("node")
	if node == "" || lookUp("npm") == "" {
		return ""
	}
	out, err := exec.Command(node, "--version").Output()
	if err != nil || !newEnough(string(out)) {
		return ""
	}
	return filepath.Dir(node)
}

// newEnough judges a line such as "v18.20.4".
func newEnough(line string) bool {
	var major, minor int
	_, err := fmt.Sscanf(line, "v%d.%d", &major, &minor)
	return err == nil && (major > oldestNode[0] || major == oldestNode[0] && minor >= oldestNode[1])
}
