package diff

import (
	"fmt"
	"slices"
	"strings"

	"ariga.io/atlas/sql/postgres"
	atlas "ariga.io/atlas/sql/schema"
	"ariga.io/atlas/sql/sqlite"
)

// simplify takes what is changed in an index or a constraint as one that goes
// and one that comes, and one that goes while its like comes as renamed.
func simplify(changes []atlas.Change) []atlas.Change {
	var simple []atlas.Change
	for _, c := range changes {
		switch c := c.(type) {
		case *atlas.ModifyIndex:
			simple = append(simple, &atlas.DropIndex{I: c.From}, &atlas.AddIndex{I: c.To})
		case *atlas.ModifyForeignKey:
			simple = append(simple, &atlas.DropForeignKey{F: c.From}, &atlas.AddForeignKey{F: c.To})
		case *atlas.ModifyCheck:
			simple = append(simple, &atlas.DropCheck{C: c.From}, &atlas.AddCheck{C: c.To})
		default:
			simple = append(simple, c)
		}
	}
	return pairRenamed(simple)
}

func pairRenamed(changes []atlas.Change) []atlas.Change {
	for i, gone := range changes {
		for j, come := range changes {
			if renamed := pair(gone, come); renamed != nil {
				changes[i] = renamed
				return pairRenamed(slices.Delete(changes, j, j+1))
			}
		}
	}
	return changes
}

// pair returns the renaming that two changes come to, nil if they do not.
func pair(gone, come atlas.Change) atlas.Change {
	switch gone := gone.(type) {
	case *atlas.DropIndex:
		if come, ok := come.(*atlas.AddIndex); ok && gone.I.Name != come.I.Name && indexText(gone.I) == indexText(come.I) {
			return &atlas.RenameIndex{From: gone.I, To: come.I}
		}
	case *atlas.DropForeignKey:
		if come, ok := come.(*atlas.AddForeignKey); ok && gone.F.Symbol != come.F.Symbol && foreignKeyText(gone.F) == foreignKeyText(come.F) {
			return &atlas.RenameConstraint{From: gone.F, To: come.F}
		}
	}
	return nil
}

// indexText is all of an index but its name.
func indexText(i *atlas.Index) string {
	var b strings.Builder
	fmt.Fprint(&b, i.Unique)
	for _, p := range i.Parts {
		if p.C != nil {
			fmt.Fprintf(&b, " %s %t", p.C.Name, p.Desc)
		} else {
			fmt.Fprintf(&b, " %v %t", p.X, p.Desc)
		}
	}
	for _, a := range i.Attrs {
		switch a := a.(type) {
		case *postgres.IndexPredicate:
			b.WriteString(" where " + bare.Replace(a.P))
		case *sqlite.IndexPredicate:
			b.WriteString(" where " + bare.Replace(a.P))
		}
	}
	return b.String()
}

// bare takes away the quotes that SQLite puts around a renamed column.
var bare = strings.NewReplacer("`", "", `"`, "")

// foreignKeyText is all of a foreign key but its name.
func foreignKeyText(fk *atlas.ForeignKey) string {
	return fmt.Sprint(columnNames(fk.Columns), fk.RefTable.Name, columnNames(fk.RefColumns), fk.OnDelete, fk.OnUpdate)
}

func columnNames(columns []*atlas.Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// changesOf are the changes of a kind, such as *atlas.DropColumn.
func changesOf[T atlas.Change](changes []atlas.Change) (all []T) {
	for _, c := range changes {
		if c, ok := c.(T); ok {
			all = append(all, c)
		}
	}
	return all
}
