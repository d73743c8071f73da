package metrics_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"go.yaml.in/yaml/v3"

	"records/internal/dbtest"
)

// expressions of the dashboard and of the rules, by what they are of.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Name, Type, Query string }
		}
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	read(t, "dashboard.json", &dashboard, json.Unmarshal)
	read(t, "alerts.yml", &rules, yaml.Unmarshal)
	all := map[string]string{}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			all["panel "+panel.Title] += target.Expr + "\n"
		}
	}
	for _, variable := range dashboard.Templating.List {
		if variable.Type == "query" {
			all["variable "+variable.Name] = variable.Query
		}
	}
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			all["alert "+rule.Alert] = rule.Expr
		}
	}
	if len(dashboard.Panels) < 10 || len(all) < 20 {
		t.Fatalf("%d panels, %d expressions", len(dashboard.Panels), len(all))
	}
	return all
}

func read(t *testing.T, file string, into any, decode func([]byte, any) error) {
	t.Helper()
	text, err := os.ReadFile("../../docs/monitoring/" + file)
	if err == nil {
		err = decode(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// metric is the name of one in an expression.
var metric = regexp.MustCompile(`\b(records|go|process)_[a-z0-9_]+`)

// Every metric that the dashboard and the alerts name, and every label that they sum
// by, is there to be scraped; and every metric of our own is looked at, or told of in
// the documentation.
func TestDashboardAndAlerts(t *testing.T) {
	t.Parallel()
	s, h := watched(t, dbtest.Open(t, dialect.SQLite))
	s.NewClient(t).Do("GET", "/tasks", nil)
	there := map[string]bool{}
	labels := []string{"job", "instance", "le"} // which Prometheus adds
	for name, family := range scrape(t, h) {
		there[name] = true
		if family.GetMetric()[0].GetHistogram() != nil {
			there[name+"_bucket"] = true
		}
		for _, label := range family.GetMetric()[0].GetLabel() {
			labels = append(labels, label.GetName())
		}
	}
	by := regexp.MustCompile(`by \(([a-z_, ]+)\)`)
	for of, expression := range expressions(t) {
		names := metric.FindAllString(expression, -1)
		if len(names) == 0 {
			t.Errorf("%s names no metric: %s", of, expression)
		}
		for _, name := range names {
			if !there[name] {
				t.Errorf("%s: there is no metric %s", of, name)
			}
		}
		for _, list := range by.FindAllStringSubmatch(expression, -1) {
			for label := range strings.SplitSeq(list[1], ", ") {
				if !slices.Contains(labels, label) {
					t.Errorf("%s: there is no label %s", of, label)
				}
			}
		}
	}
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range there {
		if strings.HasPrefix(name, "records_") && !strings.HasSuffix(name, "_bucket") && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/operations.md does not tell of %s", name)
		}
	}
	_, section, _ := strings.Cut(string(text), "\n## Metrics\n")
	section, _, _ = strings.Cut(section, "\n## ")
	names := metric.FindAllString(section, -1)
	if len(names) == 0 {
		t.Error("docs/operations.md tells of no metric")
	}
	for _, name := range names {
		if strings.HasPrefix(name, "records_") && !there[name] {
			t.Errorf("docs/operations.md tells of %s, which there is not", name)
		}
	}
}
