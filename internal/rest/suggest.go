package rest

import "strconv"

// maxQuoted is how much of an unknown name a message repeats, in characters.
const maxQuoted = 64

// quoted repeats a client's word in a message, cut short and on one line.
func quoted(name string) string {
	if cut := short(name); len(cut) < len(name) {
		name = cut + "…"
	}
	return strconv.Quote(name)
}

// short is the first maxQuoted characters of a name.
func short(name string) string {
	n := 0
	for i := range name {
		if n++; n > maxQuoted {
			return name[:i]
		}
	}
	return name
}

// nearest returns the known field whose name is closest to the given one.
func nearest(name string, fields []Field) string {
	name = short(name)
	best, least := "", 0
	for _, f := range fields {
		if d := distance(name, f.Name); best == "" || d < least {
			best, least = f.Name, d
		}
	}
	return strconv.Quote(best)
}

// distance is the Levenshtein distance: how many characters have to be added,
// removed or replaced to turn a into b.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			replace := diagonal
			if r != s {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
