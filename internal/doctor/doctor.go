// Package doctor looks at a deployment for what is wrong in it and nobody would
// notice otherwise, says what to do about it, and mends what it safely can. Each
// check has a file of its own.
package doctor

import (
	"context"
	"slices"

	"entgo.io/ent/dialect"

	"records/config"
	"records/internal/database"
)

// Fault is something that is wrong. What it says holds no secret.
type Fault struct {
	Check  string `json:"check"`  // which check found it
	What   string `json:"what"`   // a sentence for an operator
	Why    string `json:"why"`    // why it matters
	Remedy string `json:"remedy"` // what to do about it
	Mended bool   `json:"mended"`
}

// Deployment is what is looked at.
type Deployment struct {
	Config config.Config
	DB     *database.DB // opened as the server opens it
}

// ofSettings are the checks that need no database.
var ofSettings = []func(ctx context.Context, c config.Config) []Fault{
	waitsFit,
	proxiesAreSome,
	peopleCanSignIn,
	metricsAreInside,
	redisCounts,
}

// ofServer are the checks of the database server, or of the file.
var ofServer = []func(ctx context.Context, d Deployment) ([]Fault, error){
	serverIsNewEnough,
	serverWrites,
	textIsUTF8,
	collationIsTheSame,
	commitsLast,
	connectionsSuffice,
	statementsEnd,
	commitsAreSeen,
	sessionsAreOnesOwn,
	fileIsLocal,
	fileHasOneName,
	fileIsTheOwners,
	fileIsSound,
	fileHasRoom,
}

// Visit returns what is wrong with a deployment. What cannot be looked at because of
// something else that is wrong is left out: a database that does not answer, or lacks
// migrations, is looked at no further. What was found before a check failed comes with
// its error.
func Visit(ctx context.Context, d Deployment, mend bool) ([]Fault, error) {
	faults := visitSettings(ctx, d.Config)
	if away := unreachable(ctx, d.DB); away != nil {
		return append(faults, *away), nil
	}
	for _, check := range ofServer {
		found, err := check(ctx, d)
		if err != nil {
			return faults, err
		}
		faults = append(faults, found...)
	}
	mend = mend && !slices.ContainsFunc(faults, func(f Fault) bool { return f.Check == standby })
	found, current := migrationsAreApplied(ctx, d.DB)
	faults = append(faults, found...)
	if !current {
		return faults, nil
	}
	found, err := Examine(ctx, d.DB, mend)
	return append(faults, found...), err
}

// Unopened returns what is wrong with a deployment whose database could not be opened,
// which err says: a file that is not there or is none of SQLite's, a URL that names none.
func Unopened(ctx context.Context, c config.Config, err error) []Fault {
	return append(visitSettings(ctx, c), Fault{
		Check: "database", What: database.Sentence(err) + ".",
		Why:    "Nothing can be read or written there.",
		Remedy: "Correct database.url. If it names the right file, do not stop a server that still runs on it, for that may be all there is: see \"When something is away\" in docs/operations.md. Else keep a copy of what is there, and restore the last backup: records restore.",
	})
}

func visitSettings(ctx context.Context, c config.Config) []Fault {
	faults := []Fault{}
	for _, check := range ofSettings {
		faults = append(faults, check(ctx, c)...)
	}
	return faults
}

func (d Deployment) isPostgres() bool { return d.DB.Dialect() == dialect.Postgres }
