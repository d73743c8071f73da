package main

import (
	"bytes"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestParseStat(t *testing.T) {
	line := "4711 (odd) name (x) S 42 4711 4711 0 -1 4194560 100 0 0 0 250 50 30 20 20 0 1 0 12345 1000 200"
	got, err := parseStat(line)
	want := stat{parent: 42, own: 3 * time.Second, reaped: 500 * time.Millisecond}
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, line := range []string{"", "4711 (name) S 42", "4711 (name) S x 1 1 0 -1 0 0 0 0 0 1 1 1 1"} {
		if _, err := parseStat(line); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
}

func TestParseStatus(t *testing.T) {
	got, err := parseStatus("Name:\trecords\nVmHWM:\t   40960 kB\nVmRSS:\t   30720 kB\nRssAnon:\t   20480 kB\n")
	if want := (memory{now: 30720, own: 20480, peak: 40960}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if _, err := parseStatus("Name:\trecords\nVmHWM:\t   40960 kB\n"); err == nil {
		t.Error("a status without VmRSS is taken")
	}
}

func TestSummarise(t *testing.T) {
	var latency []time.Duration
	for i := range 200 {
		latency = append(latency, time.Duration(200-i)*time.Millisecond)
	}
	got, err := summarise(latency, 4*time.Second, 40*time.Millisecond, 20*time.Millisecond)
	want := figures{
		requests: 200, rate: 50, p50: 101 * time.Millisecond, p99: 199 * time.Millisecond,
		program: 200 * time.Microsecond, database: 100 * time.Microsecond,
	}
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if _, err := summarise(nil, time.Second, 0, 0); err == nil {
		t.Error("a round without a request has figures")
	}
}

// Each figure has its own median: the round with the best rate need not have the
// best p99.
func TestMedian(t *testing.T) {
	got := median([]figures{{rate: 1, p99: 9, program: 5}, {rate: 3, p99: 7, program: 1}, {rate: 2, p99: 8, program: 9}})
	if want := (figures{rate: 2, p99: 8, program: 5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestRowLine(t *testing.T) {
	r := row{cell{"postgres", opList, 100_000, 16}, []figures{
		{rate: 1500, p50: time.Millisecond, p99: 4 * time.Millisecond, program: 300 * time.Microsecond, database: 100 * time.Microsecond},
		{rate: 3000, p50: 500 * time.Microsecond, p99: 2 * time.Millisecond, program: 150 * time.Microsecond, database: 50 * time.Microsecond},
		{rate: 750, p50: time.Millisecond, p99: 8 * time.Millisecond, program: 150 * time.Microsecond, database: 650 * time.Microsecond},
	}}
	got := r.line()
	want := []string{
		"list", "100,000", "16", "1500 / 3000", "1,000 / 500", "4,000 / 2,000", "300 + 100 = 400", "150 + 50 = 200", "2.00", "2.00",
		"150 + 650 = 800", "0.50",
	}
	if !slices.Equal(got, want) || len(got) != len(columns) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	if got := (row{r.cell, r.figures[:2]}).line(); len(got) != len(columns) {
		t.Errorf("%q has not %d columns", got, len(columns))
	}
}

// A program that gives up has no figures, and the others keep theirs.
func TestRowLineOfFailure(t *testing.T) {
	r := row{cell{"sqlite", opDeep, 1000, 1}, []figures{
		median([]figures{{rate: 5, program: time.Millisecond}, {failed: true}}),
		{rate: 5, p50: 2 * time.Microsecond, p99: 3 * time.Microsecond, program: time.Millisecond}, {rate: 5, program: time.Second},
	}}
	want := []string{"deep", "1,000", "1", "503 / 5", "503 / 2", "503 / 3", "503", "1,000", "–", "–", "1,000,000", "–"}
	if got := r.line(); !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1_002_003: "1,002,003"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestGrowth(t *testing.T) {
	costing := func(size int, program, baseline time.Duration) row {
		return row{cell{"sqlite", opList, size, 1}, []figures{{program: program}, {program: baseline}}}
	}
	r := report{
		plan: plan{databases: []string{"postgres", "sqlite"}, connections: []int{1}},
		rows: []row{costing(small, 1, 1), costing(1000, 100, 50), costing(10_000, 300, 60), costing(100_000, 250, 55)},
	}
	want := []string{"sqlite, 1 connections: a list among 100,000 tasks costs 2.50 times one among 1,000 (baseline: 1.10)"}
	if got := r.growth(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is created has to be deleted next, in the same workspaces.
func TestCellsDeleteWhatWasCreated(t *testing.T) {
	for _, p := range []plan{full, short} {
		cells := p.cells("sqlite")
		for i, c := range cells {
			before := c
			before.operation = opCreate
			if c.operation == opDelete && cells[i-1] != before {
				t.Errorf("%+v follows %+v", c, cells[i-1])
			}
		}
	}
	p := full
	p.operations = []string{opDelete}
	if cells := p.cells("sqlite"); cells[0].operation != opCreate {
		t.Errorf("deletions begin with %+v", cells[0])
	}
}

// Ids are of version 7, sort by their number, and are nobody else's.
func TestRecordID(t *testing.T) {
	seen := map[uuid.UUID]bool{}
	for number := range 3 {
		w := &workspace{number: number}
		last := uuid.Nil
		for i := -12; i < 100; i++ {
			id := w.recordID(i)
			if id.Version() != 7 || id.Variant() != uuid.RFC4122 || seen[id] || id.String() <= last.String() {
				t.Fatalf("task %d of workspace %d is %s, after %s", i, number, id, last)
			}
			seen[id], last = true, id
		}
	}
}

func TestFlags(t *testing.T) {
	p, err := flags([]string{"-databases", "sqlite", "-operations", "get,deep", "-sizes", "5,1000", "-connections", "3", "-round", "1s"})
	if err != nil || fmt.Sprint(p.databases, p.operations, p.sizes, p.connections, p.round) != "[sqlite] [get deep] [5 1000] [3] 1s" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, args := range [][]string{{"-databases", "mysql"}, {"-operations", "post"}, {"-sizes", "0"}, {"-connections", "x"}} {
		if _, err := flags(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}

// The client reads an answer to its last byte, and the next begins where it ends.
func TestClient(t *testing.T) {
	ours, theirs := net.Pipe()
	c := newClient(ours)
	go func() {
		_, _ = theirs.Read(make([]byte, 100))
		_, _ = theirs.Write([]byte("HTTP/1.1 201 Created\r\nLocation: /api/v1/tasks/1\r\nContent-Length: 5\r\n\r\nfirst"))
		_, _ = theirs.Read(make([]byte, 100))
		_, _ = theirs.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond"))
		_, _ = theirs.Read(make([]byte, 100))
		_, _ = theirs.Write([]byte("HTTP/1.1 200 OK\r\n\r\nno length"))
	}()
	for _, want := range []answer{{201, "/api/v1/tasks/1", []byte("first")}, {200, "", []byte("second")}} {
		if got, err := c.do([]byte("GET")); err != nil || fmt.Sprint(*got) != fmt.Sprint(want) {
			t.Fatalf("%+v, %v; want %+v", got, err, want)
		}
	}
	if _, err := c.do([]byte("GET")); err == nil {
		t.Error("an answer without a length is taken")
	}
}

// An answer that is not the one asked for is never counted as a fast one.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		operation string
		status    int
		body      string
		good      bool
	}{
		{opGet, 200, `{}`, true},
		{opGet, 429, `{}`, false},
		{opCreate, 201, `{}`, true},
		{opCreate, 200, `{}`, false},
		{opDelete, 200, `{"id":"1","deleted":true}`, true},
		{opDelete, 200, `{"id":"1","deleted":false}`, false},
		{opList, 503, `{}`, false},
	} {
		err := cell{operation: test.operation}.check(&answer{status: test.status, body: []byte(test.body)})
		if (err == nil) != test.good {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	r := report{machine: "a machine", databases: []string{"SQLite"}, plan: plan{databases: []string{"sqlite"}}, rows: []row{
		{cell{"sqlite", opGet, 1000, 1}, []figures{{program: 2 * time.Microsecond}, {program: time.Microsecond}}},
	}}
	r.markdown(&b)
	if strings.Contains(b.String(), "left out") {
		t.Error("nothing was left out", b.String())
	}
	r.left = 3
	if !strings.Contains(r.conditions(), "3 rows are left out") {
		t.Error(r.conditions())
	}
	if !strings.Contains(b.String(), "\n### sqlite\n\n| operation | tasks |") || !strings.Contains(b.String(), "\n| get | 1,000 | 1 | 0 / 0 | 0 / 0 | 0 / 0 | 2 | 1 | 2.00 | 0.00 |  |  |\n") {
		t.Error(b.String())
	}
}
