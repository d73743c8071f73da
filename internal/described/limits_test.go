package described

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

// What the description calls a valid value of a field the server takes, and what
// it calls invalid the server refuses: at every limit, for every field, on create
// and on update.
func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for _, r := range w.all {
			operations := w.of(t, r.Spec().Plural)
			for _, verb := range []string{"create", "update"} {
				if o, ok := operations[verb]; ok {
					t.Run(verb+" "+o.plural, func(t *testing.T) { w.limits(t, o) })
				}
			}
		}
	})
}

func (w world) limits(t *testing.T, o described) {
	input, s := w.input(o.operation), w.sender(t, o)
	for name, field := range input.Properties {
		if field.fixed(o) {
			continue
		}
		for _, value := range valid(field) {
			s.send(map[string]any{name: value}, true)
		}
		for _, value := range invalid(field) {
			s.send(map[string]any{name: value}, false)
		}
	}
	s.send(map[string]any{"no_such_field": 1}, false)
	for _, name := range input.Required {
		s.without = name
		s.send(map[string]any{}, false)
	}
}

// A body of several fields is taken if each of its values is valid, and refused
// if one is not.
func TestRandomBodies(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		random := rand.New(rand.NewPCG(1, 2))
		for _, r := range w.all {
			operations := w.of(t, r.Spec().Plural)
			for _, verb := range []string{"create", "update"} {
				o, ok := operations[verb]
				if !ok {
					continue
				}
				s, properties := w.sender(t, o), w.input(o.operation).Properties
				for range 25 {
					s.send(randomBody(random, o, properties))
				}
			}
		}
	})
}

// randomBody takes each field with a chance of a half, and of these one in ten
// with an invalid value.
func randomBody(random *rand.Rand, o described, properties map[string]schema) (body map[string]any, good bool) {
	body, good = map[string]any{}, true
	for _, name := range sorted(properties) {
		field := properties[name]
		values, isValid := valid(field), random.IntN(10) > 0
		if !isValid {
			values = invalid(field)
		}
		if field.fixed(o) || len(values) == 0 || random.IntN(2) == 0 {
			continue
		}
		body[name] = values[random.IntN(len(values))]
		good = good && isValid
	}
	return body, good
}

// sender sends bodies to an operation.
type sender struct {
	t       *testing.T
	o       described
	who     tenant
	path    string
	base    map[string]any // what a body needs
	without string         // a field that it is sent without
	status  int
	ruled   bool // there are rules over several fields, of which a schema tells in words alone
}

func (w world) sender(t *testing.T, o described) *sender {
	t.Helper()
	r, _ := w.all.Find(o.plural)
	s := &sender{t: t, o: o, who: w.tenant(t), path: o.path, base: map[string]any{}, status: 200, ruled: len(r.Spec().Rules) > 0}
	if plain := w.plain(t, o.plural); o.method == "POST" {
		s.base, s.status = plain, 201
	} else {
		s.path = "/" + o.plural + "/" + w.create(t, s.who, o.plural, text(t, plain))
	}
	return s
}

// send sends a body, which has to be taken or refused.
func (s *sender) send(body map[string]any, good bool) {
	s.t.Helper()
	whole := maps.Clone(s.base)
	maps.Copy(whole, body)
	delete(whole, s.without)
	r := s.who.write.Do(s.o.method, s.path, whole)
	_, clashes := s.o.Responses["409"]
	switch {
	case good && (r.Status == s.status || clashes && r.Status == 409):
	case good && s.ruled && r.Status == 400 && r.Error(s.t) == "validation_failed" && strings.HasPrefix(r.JSON(s.t)["message"].(string), "The rule "):
	case !good && r.Status == 400 && r.Error(s.t) == "validation_failed":
	default:
		s.t.Errorf("%s %s: the description says that this is valid: %t. The server says %d %.300s\n%.500s", s.o.method, s.o.path, good, r.Status, r.Body, text(s.t, whole))
	}
}
