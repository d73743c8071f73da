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
		got = append(got, fmt.Sprintf("%s %s[%s](%s) required=%t nullable=%t immutable=%t writeonly=%t %s %v", f.Name, f.Kind.Name, f.Kind.GoType,
			strings.Join(f.Args(), ", "), f.Required, f.Nullable, f.Immutable, f.WriteOnly, f.Kind.JSON, f.Examples))
	}
	want := []string{
		`text Text[string](4, every.TextValidator) required=true nullable=false immutable=false writeonly=false string [text]`,
		`flag Bool[bool]() required=false nullable=false immutable=false writeonly=false boolean [true false]`,
		`number Integer[int16](every.NumberValidator) required=false nullable=true immutable=false writeonly=false integer [1 2 3]`,
		`ratio Float[float32]() required=false nullable=true immutable=false writeonly=false number [1.5]`,
		`level Enum[every.Level](every.LevelLow, every.LevelVeryHigh) required=false nullable=false immutable=false writeonly=false string [low very-high]`,
		`person_id UUID[uuid.UUID]() required=false nullable=true immutable=false writeonly=false string [0190163d-8694-739b-aea5-966c26f8ad90]`,
		`moment Timestamp[time.Time]() required=false nullable=true immutable=false writeonly=false string [2026-12-01T09:30:00Z]`,
		`day Date[scalar.Date]() required=true nullable=false immutable=false writeonly=false string [2026-12-01]`,
		`price Decimal[scalar.Decimal]() required=true nullable=false immutable=false writeonly=false number [9.99]`,
		`length Duration[time.Duration](every.LengthValidator) required=false nullable=false immutable=false writeonly=false string [PT45M PT1H30M P1D]`,
		`object Object[map[string]any]() required=true nullable=false immutable=false writeonly=false object [{"key":"value"} {}]`,
		`names Texts[[]string](every.NamesValidator) required=false nullable=true immutable=false writeonly=false array [["one","two"] []]`,
		`counts Integers[[]int]() required=false nullable=false immutable=false writeonly=false array [[1,2,3] []]`,
		`ratios Floats[[]float64]() required=true nullable=false immutable=true writeonly=false array [[0.5]]`,
		`pin Text[string](0) required=true nullable=false immutable=false writeonly=true string [pin]`,
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
