package database_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
)

// writeTo makes this program write to the SQLite database it names, until it is
// killed or a write fails: see TestMain.
const writeTo = "TEST_WRITE_TO"

func TestMain(m *testing.M) {
	if url := os.Getenv(writeTo); url != "" {
		os.Exit(writeUntilTheEnd(url))
	}
	os.Exit(m.Run())
}

// writers is how many write at once.
const writers = 16

// writeUntilTheEnd has many write at once, and prints what is acknowledged, a line
// for each write. A writer stops at its first failure, which it prints too.
func writeUntilTheEnd(url string) int {
	db, err := database.Open(url, database.Options{})
	if err == nil {
		err = limitFiles()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := 0; ; i++ {
				text := fmt.Sprintf("%d-%d-%d", os.Getpid(), w, i)
				err := writeOne(db, i, text)
				if err != nil {
					fmt.Fprintln(os.Stdout, "failed", text, errors.Is(err, database.ErrOutcomeUnknown), err)
					return
				}
				fmt.Fprintln(os.Stdout, "done", text)
			}
		})
	}
	all.Wait()
	return 0
}

// writeOne writes in each of the ways there are, in turn.
func writeOne(db *database.DB, i int, text string) error {
	ctx := context.Background()
	const insertNote = `INSERT INTO notes VALUES ($1)`
	switch i % 8 {
	case 0:
		got, err := query(ctx, db.Driver(), insertNote+` RETURNING text`, text)
		if err == nil && (len(got) != 1 || got[0] != text) {
			err = fmt.Errorf("returned %v", got)
		}
		return err
	case 1:
		tx, err := db.Driver().Tx(ctx)
		if err != nil {
			return err
		}
		if err := tx.Exec(ctx, insertNote, []any{text}, nil); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	case 2: // one beside it is refused
		if _, err := exec(ctx, db, `INSERT INTO notes VALUES (NULL)`); err == nil || database.IsUnavailable(err) {
			return err
		}
	}
	_, err := exec(ctx, db, insertNote, text)
	return err
}

// Whatever a killed process has acknowledged is there, once, and the file is sound.
func TestKilledWhileMayWrite(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.SQLite)
	run(t, dbtest.OpenURL(t, url), things)
	acknowledged := map[string]bool{}
	for round := range 25 {
		process, lines := writingProcess(t, url)
		for n := 0; lines.Scan(); n++ {
			text, ok := strings.CutPrefix(lines.Text(), "done ")
			if !ok {
				t.Fatal(lines.Text())
			}
			acknowledged[text] = true
			if n == 50+37*round { // in the middle of the others
				if err := process.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = process.Wait()
	}
	db := dbtest.OpenURL(t, url)
	checkNotes(t, db, acknowledged, 25*writers)
	if texts, err := query(t.Context(), db.Driver(), `SELECT * FROM pragma_integrity_check`); err != nil || texts[0] != "ok" {
		t.Error(texts, err)
	}
}

// checkNotes holds the notes against those that were acknowledged. So many more may
// be there, whose writer did not learn it.
func checkNotes(t *testing.T, db *database.DB, acknowledged map[string]bool, more int) {
	t.Helper()
	texts, err := query(t.Context(), db.Driver(), `SELECT text FROM notes`)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, text := range texts {
		if there[text] {
			t.Errorf("%s is there twice", text)
		}
		there[text] = true
	}
	for text := range acknowledged {
		if !there[text] {
			t.Errorf("%s was acknowledged, and is not there", text)
		}
	}
	if len(there) > len(acknowledged)+more {
		t.Errorf("%d are there; %d were acknowledged", len(there), len(acknowledged))
	}
	t.Logf("%d acknowledged, %d there", len(acknowledged), len(there))
}

// writingProcess starts a process that writes, and returns what it prints.
func writingProcess(t *testing.T, url string, env ...string) (*osexec.Cmd, *bufio.Scanner) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := osexec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(append(os.Environ(), writeTo+"="+url), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}
