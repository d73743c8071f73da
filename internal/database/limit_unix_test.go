//go:build unix

package database_test

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

// fileLimit is the size in bytes beyond which no file can be written.
const fileLimit = "TEST_FILE_LIMIT"

// limitFiles makes writing to a file fail at the size that the environment names.
func limitFiles() error {
	text := os.Getenv(fileLimit)
	if text == "" {
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
}

// When the file cannot be written any more, what was acknowledged is there, and what
// failed is not.
func TestFileThatFails(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.SQLite)
	run(t, dbtest.OpenURL(t, url), things)
	for round := range 8 {
		acknowledged, failed := map[string]bool{}, 0
		process, lines := writingProcess(t, url, fmt.Sprintf("%s=%d", fileLimit, 600_000+round*100_123))
		for lines.Scan() {
			switch words := strings.SplitN(lines.Text(), " ", 4); words[0] {
			case "done":
				acknowledged[words[1]] = true
			case "failed":
				failed++
				if words[2] != "false" || !strings.Contains(words[3], "disk I/O error") && !strings.Contains(words[3], "full") {
					t.Error(lines.Text())
				}
			}
		}
		if err := process.Wait(); err != nil || failed != writers || len(acknowledged) == 0 {
			t.Fatal(err, failed, len(acknowledged))
		}
		db := dbtest.OpenURL(t, url)
		checkNotes(t, db, acknowledged, 0)
		run(t, db, `DELETE FROM notes`)
	}
}
