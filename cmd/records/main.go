// Command records is the whole program: the server and the commands of its
// operator. See README.md.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := newRoot().ExecuteContext(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "records:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
}
