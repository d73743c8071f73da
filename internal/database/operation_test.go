package database

import (
	"errors"
	"fmt"
	"testing"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// A server that ends the session may have carried the statement out, in whatever
// language it says so.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		&pq.Error{Severity: "ERROR", Code: pqerror.UniqueViolation},
		fmt.Errorf("commit: %w", &pq.Error{Severity: "ОШИБКА", Code: pqerror.TRSerializationFailure}),
		&pq.Error{Severity: "ERROR", Code: pqerror.QueryCanceled},
		pq.ErrInFailedTransaction,
	} {
		if !refused(err) {
			t.Errorf("%v counts as lost", err)
		}
	}
	for _, err := range []error{
		&pq.Error{Severity: "FATAL", Code: pqerror.InternalError},
		&pq.Error{Severity: "PANIC", Code: pqerror.DiskFull},
		&pq.Error{Severity: "ВАЖНО", Code: pqerror.AdminShutdown},
		errors.New("an end of the stream"),
	} {
		if refused(err) {
			t.Errorf("%v counts as refused", err)
		}
	}
}
