package docs

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain is curl where the binary is called so, and the tests otherwise.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "curl" {
		if err := curl(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "curl:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// curl knows of curl's options those that the documents use.
func curl(args []string) error {
	method, body, url, header := "", "", "", http.Header{}
	for i := 0; i < len(args); i++ {
		option := args[i]
		if !strings.HasPrefix(option, "-") {
			url = option
			continue
		}
		if option == "-s" {
			continue
		}
		if i++; i == len(args) {
			return fmt.Errorf("%s has no value", option)
		}
		switch option {
		case "-X":
			method = args[i]
		case "-d":
			body = args[i]
		case "-H":
			name, value, _ := strings.Cut(args[i], ":")
			header.Add(name, strings.TrimSpace(value))
		default:
			return fmt.Errorf("%s is not known here", option)
		}
	}
	if method == "" && body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header = header
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(os.Stdout, res.Body)
	return err
}
