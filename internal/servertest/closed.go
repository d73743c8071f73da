package servertest

import (
	"encoding/json"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
)

// route is the operation as the validator wants it.
func route(operation *openapi3.Operation) *routers.Route {
	document, _ := Description() // it was read before
	return &routers.Route{Spec: document, Operation: operation}
}

// closed refuses a member that the schema of the answer does not name. The
// description leaves its objects open, for version 1 may gain members; this
// server has none but those.
func closed(operation *openapi3.Operation, status int, body []byte) error {
	response := operation.Responses.Status(status)
	if response == nil {
		response = operation.Responses.Default()
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	return surplus("the answer", value, response.Value.Content.Get("application/json").Schema.Value)
}

func surplus(where string, value any, schema *openapi3.Schema) error {
	switch v := value.(type) {
	case map[string]any:
		if len(schema.Properties) == 0 {
			return nil
		}
		for name, member := range v {
			property := schema.Properties[name]
			if property == nil {
				return fmt.Errorf("%s has a member %q that is not described", where, name)
			}
			if err := surplus(name, member, property.Value); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range v {
			if schema.Items == nil {
				return nil
			}
			if err := surplus("an item of "+where, item, schema.Items.Value); err != nil {
				return err
			}
		}
	}
	return nil
}
