package doctor

import (
	"context"
	"fmt"
	"os"
)

// fileIsLocal looks whether an embedded database is on a network file system.
func fileIsLocal(_ context.Context, d Deployment) ([]Fault, error) {
	if d.isPostgres() {
		return nil, nil
	}
	kind := fileSystem(d.DB.Path())
	if kind == "" {
		return nil, nil
	}
	return []Fault{{
		Check:  "file",
		What:   fmt.Sprintf("%s is on a network file system (%s).", d.DB.Path(), kind),
		Why:    "SQLite's log and locks do not work there: two processes can damage the database.",
		Remedy: "Move the file to a local disk, or use PostgreSQL.",
	}}, nil
}

// fileHasOneName looks whether an embedded database has another name, under which
// somebody could open it.
func fileHasOneName(_ context.Context, d Deployment) ([]Fault, error) {
	if d.isPostgres() || !hasOtherNames(d.DB.Path()) {
		return nil, nil
	}
	return []Fault{{
		Check:  "file",
		What:   fmt.Sprintf("%s has another name (a hard link).", d.DB.Path()),
		Why:    "SQLite's log belongs to a name: two programs that open the file by two names do not see each other's writes, and damage it.",
		Remedy: "Find the other name (find -samefile) and remove it, while no program has the file open by that one.",
	}}, nil
}

// fileIsTheOwners looks whether others on the machine can read an embedded database.
func fileIsTheOwners(_ context.Context, d Deployment) (faults []Fault, err error) {
	if d.isPostgres() {
		return nil, nil
	}
	for _, suffix := range []string{"", "-wal"} {
		info, err := os.Stat(d.DB.Path() + suffix)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		faults = append(faults, Fault{
			Check:  "file",
			What:   fmt.Sprintf("%s can be read by others on this machine (%s).", d.DB.Path()+suffix, info.Mode().Perm()),
			Why:    "It holds every record, and the hashes of keys and passwords.",
			Remedy: "Run chmod 600 on it.",
		})
	}
	return faults, nil
}

// leastRoom is what should be left for an embedded database and its log, in bytes.
const leastRoom = 64 << 20

// fileHasRoom looks whether the disk of an embedded database is full, or nearly so.
func fileHasRoom(_ context.Context, d Deployment) ([]Fault, error) {
	if d.isPostgres() {
		return nil, nil
	}
	left, known := roomLeft(d.DB.Path())
	if !known {
		return nil, nil
	}
	return judgeRoomLeft(d.DB.Path(), left), nil
}

func judgeRoomLeft(path string, left uint64) []Fault {
	if left >= leastRoom {
		return nil
	}
	return []Fault{{
		Check:  "file",
		What:   fmt.Sprintf("The disk of %s takes %d MB more.", path, left>>20),
		Why:    "When it is full, whatever writes is answered 503, and no key can be revoked.",
		Remedy: "Make room there, or stop the server and move the file with its -wal to a larger disk.",
	}}
}

// fileIsSound reads all of an embedded database, and looks whether its pages hold
// together, and its indexes with its tables. PostgreSQL has tools of its own for that,
// such as pg_amcheck.
func fileIsSound(ctx context.Context, d Deployment) ([]Fault, error) {
	if d.isPostgres() {
		return nil, nil
	}
	var said string
	err := d.DB.SQL().QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&said)
	if err != nil {
		said = err.Error()
	}
	if said == "ok" {
		return nil, nil
	}
	return []Fault{{
		Check:  "file",
		What:   fmt.Sprintf("%s is damaged: %s.", d.DB.Path(), said),
		Why:    "What is in the damaged part is lost or wrong, and it can spread.",
		Remedy: "Stop the server, keep a copy of the file and of its -wal, and restore the last backup: records restore.",
	}}, nil
}
