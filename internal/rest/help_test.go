package rest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/internal/scalar"
)

// sample is an input with a field of every kind.
type sample struct {
	Name   Value[string]
	Note   Value[string]
	Amount Value[scalar.Decimal]
	Owner  Value[uuid.UUID]
	Due    Value[scalar.Date]
	Paid   Value[time.Time]
}

func (s *sample) Fields() []Field {
	return []Field{
		Text("name", &s.Name, 5, scalar.NotBlank).Require(),
		Text("note", &s.Note, 0),
		Decimal("amount", &s.Amount),
		UUID("owner_id", &s.Owner).Refer("owners"),
		Date("due_date", &s.Due),
		Timestamp("paid_at", &s.Paid),
	}
}

// encode writes what the input holds as a body: an absent field is left out.
func (s *sample) encode() string {
	b := []byte{'{'}
	b = appendMember(b, "name", &s.Name, AppendText)
	b = appendMember(b, "note", &s.Note, AppendText)
	b = appendMember(b, "amount", &s.Amount, AppendDecimal)
	b = appendMember(b, "owner_id", &s.Owner, AppendUUID)
	b = appendMember(b, "due_date", &s.Due, AppendDate)
	b = appendMember(b, "paid_at", &s.Paid, AppendTimestamp)
	return string(append(b, '}'))
}

func appendMember[T any](b []byte, name string, v *Value[T], appendValue func([]byte, T) []byte) []byte {
	var p *T
	switch v.state {
	case absent:
		return b
	case given:
		p = &v.value
	}
	if len(b) > 1 {
		b = append(b, ',')
	}
	b = AppendText(b, name)
	return AppendNullable(append(b, ':'), p, appendValue)
}

// fault checks that err is a 400 of the code, and returns its message.
func fault(t *testing.T, err error, code string) string {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Status != 400 || e.Code != code {
		t.Fatalf("got %v; want a 400 %s", err, code)
	}
	return e.Message
}
