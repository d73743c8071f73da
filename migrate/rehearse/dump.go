package rehearse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"

	"records/internal/database"
)

// dumpAndRestore copies a database with PostgreSQL's own programs into a new one.
func dumpAndRestore(ctx context.Context, admin *database.DB, rawURL, copied string) error {
	for _, program := range []string{"pg_dump", "psql"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("others are connected to the database, so that it must be copied with pg_dump and psql, and there is no %s here: install PostgreSQL's client programs, or name a copy with --copy", program)
		}
	}
	if _, err := admin.SQL().ExecContext(ctx, "CREATE DATABASE "+copied+" TEMPLATE template0"); err != nil {
		return fmt.Errorf("make a database for the copy (or name a copy with --copy): %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dump, err := client(ctx, "pg_dump", rawURL, "--no-owner", "--no-privileges")
	if err != nil {
		return err
	}
	restore, err := client(ctx, "psql", withDatabase(rawURL, copied), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output="+os.DevNull)
	if err != nil {
		return err
	}
	if restore.Stdin, err = dump.StdoutPipe(); err != nil {
		return err
	}
	var said [2]bytes.Buffer
	dump.Stderr, restore.Stderr = &said[0], &said[1]
	if err := dump.Start(); err != nil {
		return err
	}
	restored := restore.Run()
	if restored != nil {
		cancel() // nobody reads what pg_dump writes
	}
	dumped := dump.Wait()
	if err := errors.Join(ctx.Err(), dumped, restored); err != nil {
		return fmt.Errorf("copy the database: %w: %s", err, strings.Join(strings.Fields(said[0].String()+" "+said[1].String()), " "))
	}
	return nil
}

// libpq are the parameters of a URL that PostgreSQL's own programs know too; lib/pq
// takes others, such as the server's own settings.
var libpq = []string{
	"host", "hostaddr", "port", "user", "dbname", "sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslsni",
	"connect_timeout", "application_name", "target_session_attrs", "channel_binding", "krbsrvname", "gssencmode",
}

// client is a program of PostgreSQL for a database. The password goes through its
// environment, since others can see a command line.
func client(ctx context.Context, program, rawURL string, args ...string) (*exec.Cmd, error) {
	u, err := database.ParseURL(rawURL)
	if err != nil {
		return nil, err
	}
	environment := os.Environ()
	q := u.Query()
	if password, ok := u.User.Password(); ok {
		environment = append(environment, "PGPASSWORD="+password)
		u.User = url.User(u.User.Username())
	} else if q.Has("password") {
		environment = append(environment, "PGPASSWORD="+q.Get("password"))
	}
	for name := range q {
		if !slices.Contains(libpq, name) {
			q.Del(name)
		}
	}
	u.RawQuery = q.Encode()
	args = append(args, "--no-password", "--dbname="+u.String())
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // program is a constant, and the URL is the operator's own
	cmd.Env = environment
	return cmd, nil
}
