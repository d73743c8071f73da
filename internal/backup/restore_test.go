package backup_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/ent/user"
	"records/internal/apikey"
	"records/internal/backup"
	"records/internal/database"
	"records/internal/servertest"
	"records/internal/viewer"
	"records/migrate"
)

// A restored database is the one that was backed up: what came since is gone, what
// was there is there, and keys open what they did.
func TestRestore(t *testing.T) {
	t.Parallel()
	path, db, s := serve(t)
	client := s.NewClient(t)
	client.Do(http.MethodPost, "/tasks", map[string]any{"name": "before"})
	from := filepath.Join(t.TempDir(), "backup.db")
	must(t, backup.Write(t.Context(), db, from))
	whole, err := os.ReadFile(from)
	must(t, err)
	client.Do(http.MethodPost, "/tasks", map[string]any{"name": "since"})

	if _, err := restore(t, from, path); !errors.Is(err, database.ErrInUse) {
		t.Fatalf("under a running server: %v", err)
	}
	s.Stop()
	must(t, db.Close())
	restored, err := restore(t, from, path)
	must(t, err)
	if want := []string{"records.db", filepath.Base(restored.Before), "records.db.migrate.lock"}; !strings.HasPrefix(restored.Before, path+".before-2") ||
		list(t, filepath.Dir(path)) != "["+strings.Join(want, " ")+"]" {
		t.Errorf("%q beside %s", restored.Before, list(t, filepath.Dir(path)))
	}
	again := servertest.Start(t, open(t, path))
	r := again.With(t, client.Token).Do(http.MethodGet, "/tasks", nil)
	if text := string(r.Body); r.Status != http.StatusOK || !strings.Contains(text, `"count":1}`) || !strings.Contains(text, "before") {
		t.Errorf("%d %s", r.Status, text)
	}
	aside := servertest.Start(t, open(t, restored.Before))
	if text := string(aside.With(t, client.Token).Do(http.MethodGet, "/tasks", nil).Body); !strings.Contains(text, `"count":2}`) {
		t.Errorf("aside: %s", text)
	}
	if now, err := os.ReadFile(from); string(now) != string(whole) {
		t.Errorf("the backup is another one now: %v", err)
	}
}

// What was taken away since the backup does not come back with it.
func TestRestoreGivesNothingBack(t *testing.T) {
	t.Parallel()
	path, db, s := serve(t)
	w := s.Workspace(t)
	revoked, narrowed, shortened, kept := s.Key(t, w, viewer.Write), s.Key(t, w, viewer.Write), s.Key(t, w, viewer.Write), s.Key(t, w, viewer.Write)
	gone, lowered, changed := s.Member(t, w, viewer.RoleOwner), s.Member(t, w, viewer.RoleOwner), s.Member(t, w, viewer.RoleOwner)
	from := filepath.Join(t.TempDir(), "backup.db")
	must(t, backup.Write(t.Context(), db, from))

	ctx := rule.AsOperator(t.Context())
	must(t, apikey.Revoke(ctx, s.Ent, revoked.ID))
	must(t, apikey.SetScope(ctx, s.Ent, narrowed.ID, viewer.Read))
	by(t, db, "UPDATE api_keys SET expires_at = '2001-02-03 04:05:06+00:00' WHERE id = ?", shortened.ID)
	by(t, db, "DELETE FROM members WHERE user_id = ?", gone.User)
	by(t, db, "UPDATE members SET role = 'viewer' WHERE user_id = ?", lowered.User)
	by(t, db, "UPDATE users SET password_hash = 'another' WHERE id = ?", changed.User)
	s.Stop()
	must(t, db.Close())
	if restored, err := restore(t, from, path); err != nil || restored.Carried != 6 || !restored.Told {
		t.Fatal(restored, err)
	}

	db = open(t, path)
	s = servertest.Start(t, db)
	for token, want := range map[string][2]int{
		revoked.Token: {401, 401}, shortened.Token: {401, 401}, narrowed.Token: {200, 403}, kept.Token: {200, 201},
	} {
		c := s.With(t, token)
		got := [2]int{c.Do(http.MethodGet, "/tasks", nil).Status, c.Do(http.MethodPost, "/tasks", map[string]any{"name": "x"}).Status}
		if got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	roles := map[uuid.UUID]string{}
	for _, m := range s.Ent.Member.Query().AllX(rule.AsOperator(t.Context())) {
		roles[m.UserID] = m.Role
	}
	if len(roles) != 2 || roles[lowered.User] != "viewer" || roles[changed.User] != "owner" {
		t.Error(roles)
	}
	if u := s.Ent.User.Query().Where(user.ID(changed.User)).OnlyX(rule.AsOperator(t.Context())); *u.PasswordHash != "another" {
		t.Error("the password is the one before")
	}
	if r := changed.On(s).Get("/"); r.Status != http.StatusSeeOther || !strings.HasPrefix(r.Header.Get("Location"), "/sign-in") {
		t.Errorf("a session of before: %d", r.Status)
	}
}

// A backup that an earlier release made is brought up to date.
func TestRestoreOfAnEarlierRelease(t *testing.T) {
	t.Parallel()
	const firstRelease = 20261121073704
	from, path := filepath.Join(t.TempDir(), "old.db"), filepath.Join(t.TempDir(), "records.db")
	old := open(t, from)
	_, err := migrate.UpTo(t.Context(), old, firstRelease)
	must(t, err)
	by(t, old, "INSERT INTO workspaces (id, name, created_at) VALUES ('018f0000-0000-7000-8000-000000000001', 'old', '2026-01-01 00:00:00+00:00')")
	must(t, old.Close())
	restored, err := restore(t, from, path)
	if err != nil || restored.Before != "" {
		t.Fatal(restored, err)
	}
	if names := list(t, filepath.Dir(path)); names != "[records.db]" {
		t.Errorf("beside it there is %s", names)
	}
	db := open(t, path)
	standing, err := migrate.Embedded.Compare(t.Context(), db)
	if err != nil || len(standing.Pending) > 0 {
		t.Error(standing, err)
	}
	if n := ent.NewClient(ent.Driver(db.Driver())).Workspace.Query().CountX(rule.AsOperator(t.Context())); n != 1 {
		t.Errorf("%d workspaces", n)
	}
}

// What is no sound backup leaves everything as it was.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	path, db, s := serve(t)
	client := s.NewClient(t)
	for range 50 {
		client.Do(http.MethodPost, "/tasks", map[string]any{"name": strings.Repeat("long ", 50)})
	}
	folder := t.TempDir()
	from := filepath.Join(folder, "backup.db")
	must(t, backup.Write(t.Context(), db, from))
	s.Stop()
	must(t, db.Close())
	before := list(t, filepath.Dir(path))
	whole, err := os.ReadFile(from)
	must(t, err)

	damaged := []byte(string(whole))
	for i := len(damaged) / 2; i < len(damaged)/2+8192; i++ {
		damaged[i] ^= 0x55
	}
	empty := open(t, filepath.Join(folder, "empty.db"))
	must(t, empty.Close())
	for name, test := range map[string]struct {
		content []byte
		want    string
	}{
		"damaged.db": {damaged, "cannot be used"},
		"half.db":    {whole[:len(whole)/2], "cannot be used"},
		"text.db":    {[]byte("no database at all, but long enough to be looked at by whoever opens it"), "cannot be used"},
		"empty.db":   {nil, "is no database of this program"},
		"none.db":    {nil, "cannot be read"},
	} {
		file := filepath.Join(folder, name)
		if test.content != nil {
			must(t, os.WriteFile(file, test.content, 0o600))
		}
		if _, err := restore(t, file, path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if after := list(t, filepath.Dir(path)); after != before {
			t.Errorf("%s leaves %s, before %s", name, after, before)
		}
	}
	s = servertest.Start(t, open(t, path))
	if text := string(s.With(t, client.Token).Do(http.MethodGet, "/tasks?limit=1", nil).Body); !strings.Contains(text, `"count":50}`) {
		t.Error(text)
	}
}

// What is left of a database that is gone, or broken, does not get into the new one.
func TestRestoreOverRemains(t *testing.T) {
	t.Parallel()
	for name, ruin := range map[string]func(path string) error{
		"gone": os.Remove,
		"text": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("no database", 1000)), 0o600) },
	} {
		path, db, s := serve(t)
		client := s.NewClient(t)
		from := filepath.Join(t.TempDir(), "backup.db")
		must(t, backup.Write(t.Context(), db, from))
		for range 20 {
			client.Do(http.MethodPost, "/tasks", map[string]any{"name": "since"})
		}
		wal, err := os.ReadFile(path + "-wal")
		must(t, err)
		s.Stop()
		must(t, db.Close())
		must(t, ruin(path))
		if name == "gone" {
			must(t, os.WriteFile(path+"-wal", wal, 0o600)) // as after a kill
		} else {
			if _, err := restore(t, from, path); err == nil {
				t.Errorf("%s: restored without being told to forget", name)
			}
		}
		for range 2 { // the second within the same second, mostly
			restored, err := backup.Restore(t.Context(), from, path, backup.Options{Forget: true, Now: time.Now()})
			if err != nil || restored.Before == "" || restored.Told {
				t.Fatalf("%s: %+v, %v", name, restored, err)
			}
			time.Sleep(2 * time.Millisecond)
		}
		again := servertest.Start(t, open(t, path))
		if text := string(again.With(t, client.Token).Do(http.MethodGet, "/tasks", nil).Body); !strings.Contains(text, `"count":0}`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func by(t *testing.T, db *database.DB, statement string, args ...any) {
	t.Helper()
	_, err := db.SQL().ExecContext(t.Context(), statement, args...)
	must(t, err)
}

// A database that was begun anew, or is older than the backup, cannot tell what was taken
// away since: it is no reason to open what was revoked.
func TestRestoreOverOneThatKnowsNothing(t *testing.T) {
	t.Parallel()
	path, db, s := serve(t)
	w := s.Workspace(t)
	folder := t.TempDir()
	older, from := filepath.Join(folder, "older.db"), filepath.Join(folder, "backup.db")
	must(t, backup.Write(t.Context(), db, older))
	client := s.Key(t, w, viewer.Write)
	must(t, backup.Write(t.Context(), db, from))
	s.Stop()
	must(t, db.Close())
	for name, begin := range map[string]func(path string) error{
		"empty": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"anew": func(path string) error {
			db := open(t, path)
			_, err := migrate.Up(t.Context(), db)
			return errors.Join(err, db.Close())
		},
		"older": func(path string) error {
			content, err := os.ReadFile(older)
			return errors.Join(err, os.WriteFile(path, content, 0o600))
		},
	} {
		must(t, os.Remove(path))
		must(t, begin(path))
		if _, err := restore(t, from, path); !errors.Is(err, backup.ErrOtherDatabase) || !strings.Contains(err.Error(), "--forget") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := backup.Restore(t.Context(), from, path, backup.Options{Forget: true, Now: time.Now()})
	must(t, err)
	again := servertest.Start(t, open(t, path))
	if r := again.With(t, client.Token).Do(http.MethodGet, "/tasks", nil); r.Status != http.StatusOK {
		t.Errorf("told to forget: %d", r.Status)
	}
}

// A database is no backup of itself: nothing is put in its place.
func TestRestoreOfItself(t *testing.T) {
	t.Parallel()
	path, db, s := serve(t)
	s.Stop()
	must(t, db.Close())
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(path, link))
	before := list(t, filepath.Dir(path))
	for _, from := range []string{path, link} {
		if _, err := restore(t, from, path); err == nil || !strings.Contains(err.Error(), "is the database itself") {
			t.Errorf("%s: %v", from, err)
		}
	}
	if after := list(t, filepath.Dir(path)); after != before {
		t.Errorf("%s, then %s", before, after)
	}
}

// At no time there is no database at its path: whoever started a server then, after a
// crash, would begin an empty one.
func TestRestoreLeavesNoGap(t *testing.T) {
	t.Parallel()
	path, db, s := serve(t)
	from := filepath.Join(t.TempDir(), "backup.db")
	must(t, backup.Write(t.Context(), db, from))
	s.Stop()
	must(t, db.Close())
	ctx, cancel := context.WithCancel(t.Context())
	missing := make(chan int)
	go func() {
		n := 0
		for ctx.Err() == nil {
			if _, err := os.Lstat(path); err != nil {
				n++
			}
		}
		missing <- n
	}()
	for range 20 {
		_, err := restore(t, from, path)
		must(t, err)
	}
	cancel()
	if n := <-missing; n != 0 {
		t.Errorf("it was missing %d times", n)
	}
}
