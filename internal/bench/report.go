package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

// report is all that was measured.
type report struct {
	machine   string
	databases []string // their versions
	plan      plan
	rows      []row
	memories  []memories
	took      time.Duration
	left      int // rows for which there was no time
}

// row is a cell with the figures of the program, the baseline and, for a list, of
// the baseline that counts rows.
type row struct {
	cell
	figures []figures
}

// memories are what the two programs held before the first request and after the
// last, and how long they took to start.
type memories struct {
	database      string
	before, after [2]memory
	ready         [2]time.Duration
}

// ratio is how many times the baseline's figure the program's is.
func ratio(program, baseline time.Duration) float64 {
	return float64(program) / float64(max(baseline, 1))
}

// columns of the table. Pairs are program / baseline; the last two are of the
// baseline that counts rows, for a list.
var columns = []string{
	"operation", "tasks", "conns", "requests/s", "p50 µs", "p99 µs", "CPU µs: program + database", "baseline",
	"CPU ratio", "p99 ratio", "baseline, count(*)", "CPU ratio",
}

// line is a row's line in the table.
func (r row) line() []string {
	ours, theirs := r.figures[0], r.figures[1]
	pair := func(of func(figures) string) string { return of(ours) + " / " + of(theirs) }
	line := []string{
		r.operation, sizeName(r.size), fmt.Sprint(r.connections),
		pair(func(f figures) string { return f.show(fmt.Sprintf("%.0f", f.rate)) }),
		pair(func(f figures) string { return f.show(micros(f.p50)) }),
		pair(func(f figures) string { return f.show(micros(f.p99)) }),
		ours.costs(), theirs.costs(), times(ours, theirs, figures.cpu),
		times(ours, theirs, func(f figures) time.Duration { return f.p99 }),
	}
	if len(r.figures) == 2 {
		return append(line, "", "")
	}
	return append(line, r.figures[2].costs(), times(ours, r.figures[2], figures.cpu))
}

// show is a figure, or that there is none.
func (f figures) show(figure string) string {
	if f.failed {
		return "503"
	}
	return figure
}

// times shows a ratio.
func times(program, baseline figures, of func(figures) time.Duration) string {
	if program.failed || baseline.failed {
		return "–"
	}
	return fmt.Sprintf("%.2f", ratio(of(program), of(baseline)))
}

// String is the row while it is measured.
func (r row) String() string { return r.database + ": " + strings.Join(r.line(), " | ") }

func sizeName(size int) string {
	if size == small {
		return "small"
	}
	return thousands(size)
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

func micros(d time.Duration) string { return thousands(int(d.Round(time.Microsecond).Microseconds())) }

// costs shows the CPU of one request.
func (f figures) costs() string {
	if f.database == 0 {
		return f.show(micros(f.program))
	}
	return fmt.Sprintf("%s + %s = %s", micros(f.program), micros(f.database), micros(f.cpu()))
}

// memoryColumns and lines are the second table.
var memoryColumns = []string{"resident MB", "at rest", "in the end", "of it own", "at most", "ready in ms"}

func (m memories) lines() [][]string {
	var lines [][]string
	for i, name := range []string{"program", "baseline"} {
		lines = append(lines, []string{
			m.database + ", " + name, megabytes(m.before[i].now), megabytes(m.after[i].now), megabytes(m.after[i].own), megabytes(m.after[i].peak),
			fmt.Sprint(m.ready[i].Milliseconds()),
		})
	}
	return lines
}

func megabytes(kib int) string { return fmt.Sprintf("%.0f", float64(kib)/1024) }

// growth compares a list's cost in the largest workspace with that in the
// smallest of the sized ones.
func (r *report) growth() []string {
	var lines []string
	for _, database := range r.plan.databases {
		for _, n := range r.plan.connections {
			var low, high row
			for _, one := range r.rows {
				if one.database != database || one.connections != n || one.operation != opList || one.size == small || one.figures[0].failed || one.figures[1].failed {
					continue
				}
				if low.figures == nil || one.size < low.size {
					low = one
				}
				if one.size > cmp.Or(high.size, 0) {
					high = one
				}
			}
			if low.size == high.size {
				continue
			}
			lines = append(lines, fmt.Sprintf("%s, %d connections: a list among %s tasks costs %.2f times one among %s (baseline: %.2f)",
				database, n, thousands(high.size), ratio(high.figures[0].cpu(), low.figures[0].cpu()),
				thousands(low.size), ratio(high.figures[1].cpu(), low.figures[1].cpu())))
		}
	}
	return lines
}

// tables are the report's tables, with a title each.
func (r *report) tables(print func(title string, columns []string, lines [][]string)) {
	for _, database := range r.plan.databases {
		var lines [][]string
		for _, one := range r.rows {
			if one.database == database {
				lines = append(lines, one.line())
			}
		}
		print(database, columns, lines)
	}
	var lines [][]string
	for _, m := range r.memories {
		lines = append(lines, m.lines()...)
	}
	print("memory and start", memoryColumns, lines)
}

// conditions is what the figures were taken under.
func (r *report) conditions() string {
	left := ""
	if r.left > 0 {
		left = fmt.Sprintf(" %d rows are left out: there was no time for them.", r.left)
	}
	if r.plan.rowSecurity {
		left += " The program with row-level security; the baseline is the program without."
	}
	if r.plan.against != "" {
		left += " The baseline is " + filepath.Base(r.plan.against) + ", another build of the program."
	}
	return fmt.Sprintf("%s; %s. Median of %d rounds of %s; the whole took %s.%s",
		r.machine, strings.Join(r.databases, ", "), r.plan.rounds, r.plan.round, r.took.Round(time.Second), left)
}

// text prints the report for a terminal. Pairs are program / baseline.
func (r *report) text(to io.Writer) {
	fmt.Fprintln(to, r.conditions())
	r.tables(func(title string, columns []string, lines [][]string) {
		fmt.Fprintf(to, "\n%s\n", title)
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
		for _, line := range append([][]string{columns}, lines...) {
			fmt.Fprintln(w, strings.Join(line, "\t"))
		}
		_ = w.Flush() // to a terminal or a pipe: there is no one left to tell
	})
	fmt.Fprintln(to)
	for _, line := range r.growth() {
		fmt.Fprintln(to, line)
	}
}

// markdown writes the report for the documentation.
func (r *report) markdown(to io.Writer) {
	fmt.Fprintln(to, r.conditions())
	r.tables(func(title string, columns []string, lines [][]string) {
		fmt.Fprintf(to, "\n### %s\n\n| %s |\n|---%s|\n", title, strings.Join(columns, " | "), strings.Repeat("|--:", len(columns)-1))
		for _, line := range lines {
			fmt.Fprintf(to, "| %s |\n", strings.Join(line, " | "))
		}
	})
	fmt.Fprintln(to)
	for _, line := range r.growth() {
		fmt.Fprintf(to, "- %s\n", line)
	}
}
