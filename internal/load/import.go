package load

import (
	"context"
	"errors"
	"fmt"
	"io"

	"records/ent"
	entrest "records/ent/rest"
	"records/internal/database"
	"records/internal/rest"
)

// A statement creates at most batchSize records of batchCells fields, which
// keeps within SQLite's 32,766 and PostgreSQL's 65,535 parameters a statement
// with room for the fields that no file has, and of batchBytes or little more.
const (
	batchSize  = 500
	batchCells = 20_000
	batchBytes = 4 << 20
)

// Import creates a record of the resource from every row of a file, in one
// transaction: one faulty row, and nothing of the file stays. The error then is
// a LineError. The context carries the viewer. It returns how many records it
// created; memory does not grow with the file.
//
// Of a batch in which a value does not differ that must, or a rule does not hold, the
// database does not tell the row. A file that can be read again, as an [io.Seeker], then is, and the rows
// of that batch are created one by one.
func Import(ctx context.Context, client *ent.Client, plural string, file io.Reader, format Format) (int, error) {
	n, err := attempt(ctx, client, plural, file, format, clash{})
	found, ok := errors.AsType[*clash](err)
	if again, can := file.(io.Seeker); ok && can {
		if _, stays := again.Seek(0, io.SeekStart); stays == nil { // a pipe has the method, too
			n, err = attempt(ctx, client, plural, file, format, *found)
			found, ok = errors.AsType[*clash](err)
		}
	}
	if ok {
		return 0, found.fault()
	}
	return n, err
}

// attempt imports the file, the rows of one batch one by one.
func attempt(ctx context.Context, client *ent.Client, plural string, file io.Reader, format Format, single clash) (int, error) {
	tx, err := client.Tx(ctx)
	if err != nil {
		return 0, err
	}
	n, err := importRows(ctx, entrest.Resources(tx.Client()), plural, file, format, single)
	if err != nil {
		return 0, errors.Join(err, tx.Rollback())
	}
	return n, tx.Commit()
}

// clash is a batch of which the database has refused a row.
type clash struct {
	from int // so many rows are before it
	rows int
	line int    // of its first row
	rule string // says which rule does not hold; "" for a value that must differ
}

// Error implements error.
func (c *clash) Error() string { return c.fault().Error() }

// orElse returns the clash where the database has refused a row of the batch, which it
// does not name, and any other error as it is.
func (c clash) orElse(err error) error {
	ruled := rest.AsError(err)
	switch {
	case database.IsUniqueViolation(err):
		return &c
	case ruled.Code == rest.CodeValidationFailed:
		c.rule = ruled.Message
		return &c
	}
	return err
}

func (c *clash) fault() *LineError {
	switch {
	case c.rows == 1 && c.rule != "":
		return &LineError{c.line, c.rule}
	case c.rule != "":
		return &LineError{c.line, fmt.Sprintf("Of the %d rows from here on, one is refused. %s", c.rows, c.rule)}
	case c.rows == 1:
		return &LineError{c.line, "A value that must differ is one that another record has already."}
	}
	return &LineError{c.line, fmt.Sprintf("Of the %d rows from here on, one has a value that another record has already, and that must differ.", c.rows)}
}

func importRows(ctx context.Context, all rest.Resources, plural string, file io.Reader, format Format, single clash) (int, error) {
	resource, ok := all.Find(plural)
	if !ok {
		return 0, fmt.Errorf("there is no resource %q", plural)
	}
	read, err := newReader(file, format, resource.Fields())
	if err != nil {
		return 0, err
	}
	rows := readAhead(read, resource)
	defer rows.close()
	most := min(batchSize, batchCells/(len(resource.Fields())+1))
	for n := 0; ; {
		size := most
		if n >= single.from && n < single.from+single.rows {
			size = 1
		}
		batch, end := take(rows, size)
		if err := create(ctx, all, resource, batch); err != nil {
			return 0, clash{from: n, rows: len(batch), line: batch[0].line}.orElse(err)
		}
		n += len(batch)
		if errors.Is(end, io.EOF) {
			return n, nil
		}
		if end != nil {
			return 0, end
		}
	}
}

// take reads the rows of one batch, at most so many. What ended it comes with
// the rows before it, so that the first fault of a file is the one that is named.
func take(rows reader, most int) ([]row, error) {
	var batch []row
	for size := 0; len(batch) < most && size < batchBytes; {
		r, err := rows.next()
		if err != nil {
			return batch, err
		}
		batch = append(batch, r)
		size += r.size
	}
	return batch, nil
}

func create(ctx context.Context, all rest.Resources, resource rest.Resource, batch []row) error {
	if len(batch) == 0 {
		return nil
	}
	bodies := make([]rest.Body, len(batch))
	for i, r := range batch {
		bodies[i] = r.read
	}
	err := resource.Load(ctx, all, bodies)
	var fault *rest.LoadError
	if errors.As(err, &fault) {
		return &LineError{batch[fault.Index].line, fault.Err.Message}
	}
	return err
}
