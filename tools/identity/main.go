// Command identity is a provider of OpenID Connect for the tests: the example server
// of a certified library, with the people and the one client that a test names. It
// prints its issuer once it listens. Nothing of it is kept.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
)

func main() {
	users := flag.String("users", "", "a JSON file of those who can sign in, by their id")
	id := flag.String("client", "", "the id of the client")
	redirects := flag.String("redirects", "", "where it may send people back to, with commas between them")
	address := flag.String("addr", "127.0.0.1:0", "listen on host:port")
	flag.Parse()
	if err := run(*users, *id, os.Getenv("CLIENT_SECRET"), strings.Split(*redirects, ","), *address); err != nil {
		fmt.Fprintln(os.Stderr, "identity:", err)
		os.Exit(1)
	}
}

func run(users, id, secret string, redirects []string, address string) error {
	if id == "" || secret == "" {
		return errors.New("-client and CLIENT_SECRET name the client")
	}
	people, err := storage.StoreFromFile(users)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	issuer := "http://" + listener.Addr().String()
	storage.RegisterClients(storage.WebClient(id, secret, redirects...))
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	s := &http.Server{Handler: exampleop.SetupServer(issuer, storage.NewStorage(people), log, false), ReadHeaderTimeout: 10 * time.Second}
	fmt.Println(issuer)
	return s.Serve(listener)
}
