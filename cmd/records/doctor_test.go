package main_test

import (
	"slices"
	"strings"
	"testing"

	"records/internal/dbtest"
)

// The doctor finds a wrong count, says what to do, and mends it when asked to; its
// exit code tells.
func TestDoctor(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.ok("seed")
		if said := p.ok("doctor"); said != "Nothing is wrong.\n" {
			t.Errorf("it says %q", said)
		}
		i := slices.IndexFunc(p.env, func(e string) bool { return strings.HasPrefix(e, "RECORDS_DATABASE_URL=") })
		db := dbtest.OpenURL(t, strings.TrimPrefix(p.env[i], "RECORDS_DATABASE_URL="))
		execute(t, db.SQL(), "UPDATE record_counts SET n = n + 1 WHERE resource = 'deals'")
		stdout, stderr, code := p.run("doctor")
		if code != 1 || stderr != "records: something is wrong with the database\n" || !strings.Contains(stdout, " deals, and lists say ") || !strings.Contains(stdout, "Run `records doctor --repair`.") {
			t.Errorf("it exits with %d and says %q, %q", code, stdout, stderr)
		}
		var found struct {
			Faults []struct {
				Check, What, Remedy string
				Mended              bool
			}
		}
		p.json(&found, "doctor", "--repair")
		if len(found.Faults) != 1 || found.Faults[0].Check != "counts" || !found.Faults[0].Mended || !strings.Contains(found.Faults[0].What, " deals, and lists say ") {
			t.Errorf("it found %+v", found)
		}
		p.json(&found, "doctor")
		if len(found.Faults) != 0 {
			t.Errorf("afterwards it found %+v", found)
		}
	})
}
