package hostile

import "strings"

// Forms are the ways in which an id can be written in a path, the well-formed
// ones and those that only look like it.
var Forms = map[string]func(id string) string{
	"lower":     func(id string) string { return id },
	"upper":     strings.ToUpper,
	"mixed":     func(id string) string { return strings.ToUpper(id[:18]) + id[18:] },
	"escaped":   func(id string) string { return "%3" + id[:1] + id[1:] }, // the ids here begin with a digit
	"slash":     func(id string) string { return id + "/" },
	"braces":    func(id string) string { return "%7B" + id + "%7D" },
	"urn":       func(id string) string { return "urn:uuid:" + id },
	"bare":      func(id string) string { return strings.ReplaceAll(id, "-", "") },
	"space":     func(id string) string { return "%20" + id },
	"traversal": func(id string) string { return "..%2f" + id },
	"semicolon": func(id string) string { return id + ";v=1" },
	"two":       func(id string) string { return id + "," + id },
}

// WellFormed are the forms that name a record.
var WellFormed = []string{"lower", "upper", "mixed", "escaped", "slash"}
