package scalar_test

import (
	"testing"

	"github.com/google/uuid"

	"records/internal/scalar"
)

func TestParseUUID(t *testing.T) {
	const want = "0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7b"
	for _, s := range []string{want, "0199F2AB-7C3D-7E4F-8A1B-2C3D4E5F6A7B", "0199f2ab-7C3D-7e4f-8A1b-2c3d4e5f6a7B"} {
		if id, err := scalar.ParseUUID(s); err != nil || id.String() != want {
			t.Errorf("ParseUUID(%q) = %v, %v; want %s", s, id, err, want)
		}
	}
	for _, s := range []string{uuid.Nil.String(), uuid.Max.String(), "98d80576-482e-427f-8434-7f86890ab222"} {
		if id, err := scalar.ParseUUID(s); err != nil || id.String() != s {
			t.Errorf("ParseUUID(%q) = %v, %v; want any version", s, id, err)
		}
	}
	for _, s := range []string{
		"",
		"0199f2ab7c3d7e4f8a1b2c3d4e5f6a7b",
		"{0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7b}",
		"urn:uuid:0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7b",
		"0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7",
		"0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7bb",
		"0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7g",
		"0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a\x00b",
		"0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6aé", // 36 bytes
		"0199f2ab-7c3d-7e4f-8a1b2c3d4e5f6a7b0",
		"0199f2ab7c3d7e4f8a1b2c3d4e5f6a7b----",
		"0199f2a-b7c3d-7e4f-8a1b-2c3d4e5f6a7b",
		" 199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7b",
		"0199f2ab-7c3d-7e4f-8a1b-2c3d4e5f6a7 ",
	} {
		id, err := scalar.ParseUUID(s)
		if err == nil || err.Error() != "must be a UUID" || id != uuid.Nil {
			t.Errorf("ParseUUID(%q) = %v, %v; want an error", s, id, err)
		}
	}
}
