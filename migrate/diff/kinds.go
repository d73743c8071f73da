package diff

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	atlas "ariga.io/atlas/sql/schema"
)

// kindsFile stands beside the folders of the migrations, and says what each
// column of a record holds: a list of texts and an object, or a duration and a
// number, are columns of one type, which no SQL tells apart.
const kindsFile = "kinds.json"

// ReadKinds returns what the columns hold by the migrations of the folder, by
// "table.column"; nothing where nobody has written it down.
func ReadKinds(folder string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(folder, kindsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var kinds map[string]string
	if err := json.Unmarshal(text, &kinds); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(folder, kindsFile), err)
	}
	return kinds, nil
}

// WriteKinds writes down what the columns hold from now on. It returns the path
// of the file, or "" where it says so already.
func WriteKinds(folder string, kinds map[string]string) (string, error) {
	if former, err := ReadKinds(folder); err != nil || former != nil && maps.Equal(former, kinds) {
		return "", err
	}
	text, err := json.MarshalIndent(kinds, "", "  ") // sorted
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, kindsFile)
	return path, os.WriteFile(path, append(text, '\n'), 0o644)
}

// askOfKinds refuses a field whose column stays, while what the records have in
// it is of a kind that the field cannot read.
func (p *plan) askOfKinds(changes []atlas.Change) {
	isNew := newColumns(changes)
	for _, name := range slices.Sorted(maps.Keys(p.declaration.Kinds)) {
		table, column, _ := strings.Cut(name, ".")
		from, to := p.kinds[name], p.declaration.Kinds[name]
		if from == "" {
			from = p.kinds[table+"."+p.declaration.Renames[name]]
		}
		if from != "" && !isNew[table] && !isNew[name] && !follows(from, to) {
			p.askFor(table, column, "%s changes from %s to %s, and what the records have in it would be misread: add a field of another name instead, with annotation.Backfill if it is required, and remove this one when nobody reads it any more", column, from, to)
		}
	}
}

// newColumns are the tables and the columns, as "table.column", that are not
// there yet.
func newColumns(changes []atlas.Change) map[string]bool {
	isNew := map[string]bool{}
	for _, c := range changes {
		switch c := c.(type) {
		case *atlas.AddTable:
			isNew[c.T.Name] = true
		case *atlas.ModifyTable:
			for _, a := range changesOf[*atlas.AddColumn](c.Changes) {
				isNew[c.T.Name+"."+a.C.Name] = true
			}
		}
	}
	return isNew
}

// follows reports whether every value of one kind is the same value in another.
// The values of an enum may be anything: only the API checks them.
func follows(from, to string) bool {
	a, isNumber := sizeOf(from)
	b, toNumber := sizeOf(to)
	switch {
	case from == to:
		return true
	case to == "text":
		return from == "enum" || from == "uuid" || isNumber
	case to == "enum":
		return from == "text"
	}
	return isNumber && toNumber && a.bits <= b.bits && (a.unsigned || !b.unsigned)
}

// size is that of a whole number in Go.
type size struct {
	bits     int
	unsigned bool
}

// sizeOf is the size of a kind such as "uint8", false for one that is no whole
// number.
func sizeOf(kind string) (size, bool) {
	digits, unsigned := strings.CutPrefix(kind, "u")
	digits, ok := strings.CutPrefix(digits, "int")
	if digits == "" {
		digits = "64"
	}
	bits, err := strconv.Atoi(digits)
	return size{bits, unsigned}, ok && err == nil
}
