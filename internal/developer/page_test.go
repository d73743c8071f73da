package developer

import "testing"

// Every page can be parsed, and every file that one refers to has a type.
func TestPagesAndAssets(t *testing.T) {
	t.Parallel()
	assets := readAssets()
	all, err := readPages(assets)
	if err != nil || len(all) < 15 {
		t.Fatalf("%d pages, %v", len(all), err)
	}
	for name, parse := range all {
		if _, err := parse(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, a := range assets {
		if a.contentType == "" {
			t.Errorf("%s has no content type", name)
		}
	}
}
