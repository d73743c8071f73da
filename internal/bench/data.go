package main

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// data is what is loaded: one workspace of each size, and many small ones.
type data struct {
	sized  map[int]*workspace
	smalls []*workspace
}

// workspace is a workspace with its tasks and a key. Its number decides all its
// ids, so that none has to be read back.
type workspace struct {
	number int
	tasks  int
	token  string
}

// newData plans the workspaces.
func newData(p plan) *data {
	d := &data{sized: map[int]*workspace{}}
	number := 0
	for _, size := range p.sizes {
		if size != small {
			d.sized[size] = &workspace{number: number, tasks: size}
			number++
			continue
		}
		for range p.smalls {
			d.smalls = append(d.smalls, &workspace{number: number, tasks: small})
			number++
		}
	}
	return d
}

// all are the workspaces, in no order.
func (d *data) all() []*workspace {
	all := append([]*workspace(nil), d.smalls...)
	for _, w := range d.sized {
		all = append(all, w)
	}
	return all
}

// epoch is when the first record was made.
var epoch = time.Date(2025, 1, 1, 9, 0, 0, 0, time.UTC)

// recordID is a UUID of version 7: it sorts by the moment of its creation, which
// for the task i is i seconds after the epoch. Task -1 is the workspace itself, -2
// its project.
func (w *workspace) recordID(i int) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(created(i).UnixMilli())<<16)
	id[6] = 0x70
	binary.BigEndian.PutUint64(id[8:], uint64(w.number)<<32|uint64(uint32(i)))
	id[8] = id[8]&0x3f | 0x80
	return id
}

func (w *workspace) id() uuid.UUID      { return w.recordID(-1) }
func (w *workspace) project() uuid.UUID { return w.recordID(-2) }

func created(i int) time.Time { return epoch.Add(time.Duration(i) * time.Second) }

var (
	workspaceColumns = []string{"id", "name", "created_at"}
	projectColumns   = []string{"workspace_id", "id", "created_at", "updated_at", "name"}
	taskColumns      = []string{"workspace_id", "id", "created_at", "updated_at", "name", "status", "priority", "assignee_id", "due_date", "description", "project_id"}
)

func (w *workspace) row() []any {
	return []any{w.id(), fmt.Sprint("workspace ", w.number), epoch}
}

func (w *workspace) projectRow() []any {
	return []any{w.id(), w.project(), epoch, epoch, "Move to the new office"}
}

// taskRow is a task as people have them: most fields set, every second one of a
// project.
func (w *workspace) taskRow(i int) []any {
	at := created(i)
	project := any(nil)
	if i%2 == 0 {
		project = w.project()
	}
	return []any{
		w.id(), w.recordID(i), at, at,
		fmt.Sprintf("Send the revised offer no. %d", i),
		[]string{"open", "in progress", "done"}[i%3],
		[]string{"high", "normal", "low"}[i%7%3],
		w.recordID(-3 - i%10),
		at.AddDate(0, 0, 14).Format(time.DateOnly),
		"They asked for a discount on the yearly plan, and for the terms in writing by the end of the week.",
		project,
	}
}
