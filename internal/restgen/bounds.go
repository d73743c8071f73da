package restgen

import (
	"go/ast"
	"strconv"
	"strings"
)

// take takes up one call behind field.Kind(name), if it is a validator that the
// description can tell to the letter. MinLen and MaxLen are not: they count
// bytes, where JSON Schema counts characters.
func (b *bounds) take(kind, method string, args []ast.Expr) {
	tiny := "0.000001" // Ent's least positive float
	if strings.HasPrefix(kind, "Int") || strings.HasPrefix(kind, "Uint") {
		tiny = "1"
	}
	low, lowKnown := only(args)
	switch method {
	case "MaxRuneLen":
		b.Known++ // the graph has the length
	case "NotEmpty":
		b.Known++
		b.takeLength(1)
	case "MinRuneLen":
		n, err := strconv.ParseInt(low, 10, 64)
		if err == nil {
			b.Known++
			b.takeLength(n)
		}
		b.VagueLength = b.VagueLength || err != nil
	case "MinLen":
		b.VagueLength = true
	case "Validate", "Match":
		before := len(b.Matches)
		if len(args) == 1 {
			b.takeFunction(args[0])
		}
		b.VagueMatch = b.VagueMatch || method == "Match" && len(b.Matches) == before
	case "Min":
		b.takeRange(low, "", lowKnown)
	case "Max":
		b.takeRange("", low, lowKnown)
	case "Range":
		if len(args) == 2 {
			low, lowKnown := constant(args[0])
			high, highKnown := constant(args[1])
			b.takeRange(low, high, lowKnown && highKnown)
		}
	case "Positive":
		b.takeRange(tiny, "", true)
	case "Negative":
		b.takeRange("", "-"+tiny, true)
	case "NonNegative":
		b.takeRange("0", "", true)
	}
}

func (b *bounds) takeLength(least int64) {
	b.MinLength, b.EntLength = max(b.MinLength, least), max(b.EntLength, least)
}

// takeRange takes up a validator of one bound or of both. A bound that is there
// already stays, and the validator is one of those that are not told.
func (b *bounds) takeRange(low, high string, known bool) {
	if !known || (low != "" && b.Min != "") || (high != "" && b.Max != "") {
		b.VagueRange = true
		return
	}
	b.Known++
	b.Min, b.Max = b.Min+low, b.Max+high // one of the two is empty
}

// takeFunction knows patterns, and the validators of internal/scalar that a JSON
// schema can tell.
func (b *bounds) takeFunction(f ast.Expr) {
	switch f := f.(type) {
	case *ast.SelectorExpr:
		switch f.Sel.Name {
		case "NotBlank":
			b.Known++
			b.MinLength, b.NotBlank = max(b.MinLength, 1), true
		case "CheckCurrency":
			b.takePattern("^[A-Z]{3}$")
		}
	case *ast.CallExpr:
		s, ok := only(f.Args)
		if name, isName := f.Fun.(*ast.SelectorExpr); !ok || !isName || name.Sel.Name != "MustCompile" {
			return // no pattern, or one of POSIX, where ^ stands at each line
		}
		b.Matches = append(b.Matches, s)
		if portable.MatchString(s) {
			b.takePattern(s)
		}
	}
}

func (b *bounds) takePattern(p string) {
	if b.Pattern == "" {
		b.Known++
		b.Pattern = p
	}
}

// only returns the constant that is the one argument.
func only(args []ast.Expr) (string, bool) {
	if len(args) != 1 {
		return "", false
	}
	return constant(args[0])
}
