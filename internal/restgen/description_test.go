package restgen_test

import (
	"os"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// The description is OpenAPI that a public library reads and accepts.
func TestDescriptionIsValid(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../ent/rest/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		t.Fatal(err)
	}
	// The registry of formats has it, the library not.
	openapi3.DefineNumberFormatValidator("decimal", openapi3.NewCallbackValidator(func(float64) error { return nil }))
	if err := document.Validate(t.Context(), openapi3.EnableSchemaFormatValidation()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/tasks", "/tasks/{id}", "/invoices"} {
		if document.Paths.Find(path) == nil {
			t.Errorf("the description lacks %s", path)
		}
	}
	if document.Paths.Find("/invoices").Post != nil {
		t.Error("the description says that invoices can be created")
	}
}
