package restgen

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every field is described as far as its validators can be told, and the others
// are said to be there.
func TestFieldSchemas(t *testing.T) {
	resources, err := model(loadGraph(t, "./testdata/described"))
	if err != nil {
		t.Fatal(err)
	}
	ticket := resources[slices.IndexFunc(resources, func(r resource) bool { return r.Type == "Ticket" })]
	if ticket.Doc != "Ticket is a question that someone asks." {
		t.Errorf("the comment is %q", ticket.Doc)
	}
	const further = `"description":"The server checks more of it than this schema tells.",`
	want := map[string]string{
		"plain":      `{"description":"What it is called.","maxLength":20,"type":"string"}`,
		"full":       `{"description":"Never blank: white space alone is refused.","maxLength":20,"minLength":1,"type":"string"}`,
		"least":      `{"minLength":3,"type":["string","null"]}`,
		"bytes":      `{` + further + `"type":["string","null"]}`,
		"match":      `{"pattern":"^[a-z]+$","type":["string","null"]}`,
		"perl":       `{` + further + `"type":["string","null"]}`,
		"escaped":    `{` + further + `"type":["string","null"]}`,
		"posix":      `{` + further + `"type":["string","null"]}`,
		"prefix":     `{` + further + `"type":["string","null"]}`,
		"currency":   `{"pattern":"^[A-Z]{3}$","type":["string","null"]}`,
		"own":        `{` + further + `"type":["string","null"]}`,
		"seats":      `{"format":"int64","maximum":9223372036854775807,"minimum":1,"type":"integer"}`,
		"range":      `{"format":"int32","maximum":30,"minimum":-3,"type":["integer","null"]}`,
		"computed":   `{` + further + `"format":"int64","maximum":9223372036854775807,"minimum":-9223372036854775808,"type":["integer","null"]}`,
		"small":      `{"format":"int32","maximum":32767,"minimum":0,"type":["integer","null"]}`,
		"below":      `{"format":"int32","maximum":-1,"minimum":-2147483648,"type":["integer","null"]}`,
		"ratio":      `{"format":"double","maximum":1000,"minimum":0.000001,"type":["number","null"]}`,
		"factor":     `{"format":"float","minimum":0,"type":["number","null"]}`,
		"price":      `{"description":"Kept exactly: at most 15 digits before and 4 after the point.","format":"decimal","maximum":999999999999999.9999,"minimum":-999999999999999.9999,"type":["number","null"]}`,
		"mood":       `{"enum":["good","bad",null],"type":["string","null"]}`,
		"parent_id":  `{"format":"uuid","type":["string","null"]}`,
		"invoice_id": `{"description":"The id of an invoice of the same workspace.","format":"uuid","type":["string","null"]}`,
	}
	if len(ticket.Fields) != len(want) {
		t.Errorf("%d fields, want %d", len(ticket.Fields), len(want))
	}
	for _, f := range ticket.Fields {
		s := fieldSchema(f)
		delete(s, "examples")
		got, err := json.Marshal(s)
		if err != nil || string(got) != want[f.Name] {
			t.Errorf("%s: %s %v\nwant %s", f.Name, got, err, want[f.Name])
		}
	}
}

// An immutable field is marked in an update, for the comparison with a release.
func TestImmutableIsMarked(t *testing.T) {
	f := fieldModel{Name: "code", Kind: text, Immutable: true}
	if update, create := inputProperty(f, false), inputProperty(f, true); update["x-immutable"] != true || create["x-immutable"] != nil {
		t.Errorf("update: %v, create: %v", update, create)
	}
}

// A client is told the limit that it has passed, where the generator knows it for
// sure.
func TestLimitsAreTold(t *testing.T) {
	resources, err := model(loadGraph(t, "./testdata/described"))
	if err != nil {
		t.Fatal(err)
	}
	ticket := resources[slices.IndexFunc(resources, func(r resource) bool { return r.Type == "Ticket" })]
	want := map[string][]limit{
		"least":   {{"TooShort", "must be at least 3 characters long"}},
		"match":   {{"Mismatch", "must match the pattern ^[a-z]+$"}},
		"perl":    {{"Mismatch", `must match the pattern (?i)^\d+$`}},
		"escaped": {{"Mismatch", `must match the pattern ^[A-Z]{2}\-[0-9]+$`}},
		"seats":   {{"OutOfRange", "must be at least 1"}},
		"range":   {{"OutOfRange", "must be from -3 to 30"}},
		"below":   {{"OutOfRange", "must be at most -1"}},
		"ratio":   {{"OutOfRange", "must be from 0.000001 to 1000"}},
		"factor":  {{"OutOfRange", "must be at least 0"}},
	}
	for _, f := range ticket.Fields {
		if got := f.Limits(); !slices.Equal(got, want[f.Name]) {
			t.Errorf("%s: %q, want %q", f.Name, got, want[f.Name])
		}
	}
	for name, f := range map[string]fieldModel{
		"a shortest length in bytes beside it": {Kind: text, toldField: toldField{Bounds: bounds{EntLength: 3, VagueLength: true}}},
		"a further range":                      {toldField: toldField{Bounds: bounds{Min: "1", VagueRange: true}}},
		"a further pattern":                    {toldField: toldField{Bounds: bounds{Matches: []string{"a"}, VagueMatch: true}}},
		"two patterns":                         {toldField: toldField{Bounds: bounds{Matches: []string{"a", "b"}}}},
	} {
		if got := f.Limits(); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
	length := fieldModel{Kind: duration, toldField: toldField{Bounds: bounds{Max: "5400000000000"}}}
	if got := length.Limits(); len(got) != 1 || got[0].Words != "must be at most PT1H30M" {
		t.Errorf("a duration: %q", got)
	}
}

// Names of operations and components are names in any language, whatever the
// path; what a resource cannot do is not described.
func TestNames(t *testing.T) {
	resources, err := model(loadGraph(t, "./testdata/described"))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := describe(resources)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Paths      map[string]map[string]json.RawMessage
		Components map[string]map[string]any
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	var operations []string
	for path, item := range d.Paths {
		for method, raw := range item {
			var o struct {
				OperationID string
				Responses   map[string]any
			}
			if method == "parameters" {
				continue
			}
			if err := json.Unmarshal(raw, &o); err != nil {
				t.Fatal(err)
			}
			operations = append(operations, o.OperationID)
			// No two coupons have one code, and no update gives them another.
			may := []string{"createTicket", "updateTicket", "createCoupon"}
			if _, clashes := o.Responses["409"]; clashes != slices.Contains(may, o.OperationID) {
				t.Errorf("%s %s answers 409: %t", method, path, clashes)
			}
		}
	}
	slices.Sort(operations)
	if got := strings.Join(operations, " "); got != "createCoupon createTicket deleteCoupon deleteTicket getCoupon getInvoice getOpenAPI getTicket listCoupons listInvoices listSupportTickets updateCoupon updateTicket" {
		t.Error(got)
	}
	name := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
	for kind, components := range d.Components {
		for component := range maps.Keys(components) {
			if !name.MatchString(component) {
				t.Errorf("the %s %q have no name", kind, component)
			}
		}
	}
}

// Two components of one name cannot be told apart: the generator says whose they
// are.
func TestCollisionsAreRefused(t *testing.T) {
	named := func(name, plural string) resource {
		return resource{Name: strings.ToLower(name), Type: name, Plural: plural, told: told{Plurals: joined(plural)}}
	}
	for _, test := range []struct {
		resources []resource
		want      []string
	}{
		{[]resource{named("Price", "prices"), named("PriceList", "price_lists")}, []string{"Price and PriceList", "PriceList"}},
		{[]resource{named("Ticket", "line-items"), named("Item", "line_items")}, []string{"listLineItems", "annotation.Plural"}},
		{[]resource{named("Deleted", "deleted")}, []string{"Deleted"}},
		{[]resource{named("Description", "description")}, []string{"description"}},
		{[]resource{named("Ticket", "Support Tickets")}, []string{"Ticket", `"Support Tickets"`, "lower-case"}},
		{[]resource{named("Ticket", "openapi.json")}, []string{"Ticket", `"openapi.json"`}},
	} {
		_, err := describe(test.resources)
		holds(t, test.resources[0].Type, err, test.want)
	}
	if _, err := describe([]resource{named("Price", "prices"), named("Deal", "deals")}); err != nil {
		t.Error(err)
	}
}
