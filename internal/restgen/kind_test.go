package restgen

import (
	"fmt"
	"strings"
	"testing"
)

// Each kind of field has its constructor, with what that takes, and says on its
// own what a client may leave out, set to null, or sees as an example.
func TestKinds(t *testing.T) {
	resources, err := model(loadGraph(t, "./testdata/kinds"))
	if err != nil {
		t.Fatal(err)
	}
	if len(resources) != 1 {
		t.Fatalf("%d resources", len(resources))
	}
	var got []string
	for _, f := range resources[0].Fields {
		got = append(got, fmt.Sprintf("%s %s[%s](%s) required=%t nullable=%t %s %v", f.Name, f.Kind.Name, f.Kind.GoType,
			strings.Join(f.Args(), ", "), f.Required, f.Nullable, f.Kind.JSON, f.Examples))
	}
	want := []string{
		`text Text[string](4, every.TextValidator) required=true nullable=false string [text]`,
		`flag Bool[bool]() required=false nullable=false boolean [true false]`,
		`number Integer[int16](every.NumberValidator) required=false nullable=true integer [1 2 3]`,
		`ratio Float[float32]() required=false nullable=true number [1.5]`,
		`level Enum[every.Level](every.LevelLow, every.LevelVeryHigh) required=false nullable=false string [low very-high]`,
		`person_id UUID[uuid.UUID]() required=false nullable=true string [0190163d-8694-739b-aea5-966c26f8ad90]`,
		`moment Timestamp[time.Time]() required=false nullable=true string [2026-12-01T09:30:00Z]`,
		`day Date[scalar.Date]() required=true nullable=false string [2026-12-01]`,
		`price Decimal[scalar.Decimal]() required=true nullable=false number [9.99]`,
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
