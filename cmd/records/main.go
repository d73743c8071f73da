// Command records is the whole program: the server and the commands of its
// operator. See README.md.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"records/config"
)

func main() {
	root := newRoot()
	root.SetArgs(config.Args(os.Args[1:]))
	if err := root.ExecuteContext(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "records:", printable(strings.ReplaceAll(err.Error(), "\n", " ")))
		os.Exit(1)
	}
}
