package doctor_test

import (
	"testing"

	"records/internal/doctor"
)

// Without the row that tells of changed keys, it is made again.
func TestGenerationOfKeysIsMadeAgain(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		p.run(t, "DELETE FROM key_generations")
		for _, faults := range []int{1, 0} {
			found, err := doctor.Examine(t.Context(), p.db, true)
			if err != nil || len(found) != faults || faults == 1 && (found[0].Check != "keys" || !found[0].Mended) {
				t.Errorf("%+v, %v, want %d faults", found, err, faults)
			}
		}
	})
}
