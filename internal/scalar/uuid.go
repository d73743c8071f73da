package scalar

import (
	"errors"

	"github.com/google/uuid"
)

var errNotUUID = errors.New("must be a UUID")

// uuidLength is that of the one form that is taken, 8-4-4-4-12.
const uuidLength = 36

// ParseUUID reads a UUID of any version as 8-4-4-4-12 hexadecimal digits of any
// case (RFC 9562, section 4): no braces, no urn:, no bare 32 digits.
func ParseUUID(s string) (uuid.UUID, error) {
	if len(s) != uuidLength { // uuid.Parse takes other forms, of other lengths
		return uuid.Nil, errNotUUID
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return uuid.Nil, errNotUUID
	}
	return id, nil
}
