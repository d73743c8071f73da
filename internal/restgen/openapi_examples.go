package restgen

import (
	"encoding/binary"

	"github.com/google/uuid"
)

// The times of the records in examples: of a creation and of a later update.
const (
	createdAt = "2026-11-20T09:30:00.000Z"
	updatedAt = "2026-11-20T10:15:00.000Z"
)

// exampleID is the id that a record of that name has in every example: a UUID of
// version 7, of the time of its creation.
func exampleID(name string) string {
	id := uuid.NewSHA1(uuid.Nil, []byte(name))
	var moment [8]byte
	binary.BigEndian.PutUint64(moment[:], 1795167000000) // createdAt in milliseconds
	copy(id[:6], moment[2:])
	id[6] = 0x70 | id[6]&0x0f
	return id.String()
}

// example is one example of a body or of an answer. A request and its answer go
// by the same name; a test sends the one and compares the other.
type example struct {
	name, summary string
	value         any
}

func media(examples ...example) object {
	out := object{}
	for _, e := range examples {
		out[e.name] = object{"summary": e.summary, "value": e.value}
	}
	return out
}

func createExamples(r resource) object {
	all := []example{{"full", "Every field", r.input()}}
	if least, _, ok := r.smallest(); ok {
		all = append(all, example{"smallest", "What is required, and no more", least})
	}
	return media(all...)
}

func createdExamples(r resource) object {
	all := []example{{"full", "Every field", r.record()}}
	if _, record, ok := r.smallest(); ok {
		all = append(all, example{"smallest", "What is required, and no more", record})
	}
	return media(all...)
}

func recordExamples(r resource) object {
	return media(example{"record", "A record", r.record()})
}

func listExamples(r resource) object {
	return media(
		example{"page", "The first page", ordered{{"data", []any{r.record()}}, {"limit", 50}, {"offset", 0}, {"count", 1}}},
		example{"past_the_end", "A page past the end", ordered{{"data", []any{}}, {"limit", 50}, {"offset", 100}, {"count", 1}}},
	)
}

func updateExamples(r resource) object {
	changes, _ := r.change()
	return media(example{"change", "Some fields", changes}, example{"nothing", "No field", ordered{}})
}

func updatedExamples(r resource) object {
	_, changed := r.change()
	return media(example{"change", "Some fields", changed}, example{"nothing", "No field", r.record()})
}

func deletedExamples(r resource) object {
	id := property{"id", exampleID(r.Plural)}
	return media(
		example{"removed", "The record was there", ordered{id, {"deleted", true}}},
		example{"absent", "There was nothing to remove", ordered{id, {"deleted", false}}},
	)
}
