package main

import (
	"slices"
	"time"
)

// plan is what is measured.
type plan struct {
	databases   []string
	operations  []string
	sizes       []int // tasks of a workspace; small stands for many small workspaces
	connections []int
	rounds      int
	round       time.Duration
	rowSecurity bool          // the program with it against the program without, on PostgreSQL
	program     string        // a built program, "" to build one
	against     string        // a built program in place of the baseline, "" for that
	markdown    string        // a file, "" for none
	smalls      int           // how many small workspaces there are
	within      time.Duration // the whole of it; rows that have no time left are left out
}

// small is the number of tasks in each of the small workspaces. A request goes to
// the next one, so that all their keys are used in turn.
const small = 5

// The operations.
const (
	opGet    = "get"
	opList   = "list"
	opDeep   = "deep" // a list at nine tenths of the workspace
	opUpdate = "update"
	opCreate = "create"
	opDelete = "delete" // of what was created just before
)

var full = plan{
	databases:   []string{"postgres", "sqlite"},
	operations:  []string{opGet, opList, opDeep, opUpdate, opCreate, opDelete},
	sizes:       []int{small, 1_000, 10_000, 100_000, 1_000_000},
	connections: []int{1, 16},
	rounds:      5,
	round:       400 * time.Millisecond,
	smalls:      10_000,
	within:      14 * time.Minute,
}

// short leaves out what takes long: the million, and repetition.
var short = plan{
	databases:   full.databases,
	operations:  full.operations,
	sizes:       []int{small, 1_000, 100_000},
	connections: full.connections,
	rounds:      3,
	round:       250 * time.Millisecond,
	smalls:      10_000,
	within:      170 * time.Second,
}

// cell is one row of the table.
type cell struct {
	database    string
	operation   string
	size        int
	connections int
}

// alone reports whether the program is measured against itself, or another build of it.
func (p plan) alone() bool { return p.rowSecurity || p.against != "" }

// cells are the rows of one database, in the order in which they are measured:
// what reads comes first, before writing leaves dead rows behind, and what is
// created is deleted at once.
func (p plan) cells(database string) []cell {
	var cells []cell
	for _, operation := range []string{opGet, opList, opDeep} {
		for _, size := range p.sizes {
			for _, n := range p.connections {
				cells = append(cells, cell{database, operation, size, n})
			}
		}
	}
	for _, size := range p.sizes {
		for _, n := range p.connections {
			for _, operation := range []string{opUpdate, opCreate, opDelete} {
				cells = append(cells, cell{database, operation, size, n})
			}
		}
	}
	return slices.DeleteFunc(cells, func(c cell) bool { return !p.wants(c) })
}

// wants leaves out what was not asked for, and what would say nothing new: only a
// list is looked at in every size.
func (p plan) wants(c cell) bool {
	asked := slices.Contains(p.operations, c.operation)
	switch c.operation {
	case opGet, opUpdate:
		return asked && c.size != 10_000
	case opDeep:
		return asked && c.size != small
	case opCreate: // a deletion needs it
		return (asked || slices.Contains(p.operations, opDelete)) && c.size != 10_000
	case opDelete:
		return asked && c.size != 10_000
	}
	return asked
}
