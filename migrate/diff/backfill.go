package diff

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"records/internal/load"
	"records/internal/rest"
	"records/internal/scalar"
)

// parse returns the value of a cell as Ent would store it. A field of the API
// has its own rules; of any other column, the type decides.
func parse(f rest.Field, c *schema.Column, cell string) (any, error) {
	switch {
	case cell == "":
		return nil, errors.New("must not be empty")
	case f.Name != "":
		return parsed(f, load.Cell(f, cell))
	}
	switch c.Type {
	case field.TypeString, field.TypeEnum, field.TypeOther:
		return cell, nil
	case field.TypeUUID:
		return scalar.ParseUUID(cell)
	case field.TypeTime:
		return scalar.ParseTimestamp(cell)
	}
	var value any
	var err error
	switch {
	case c.Type == field.TypeJSON:
		return json.RawMessage(cell), valid(json.Valid([]byte(cell)), "JSON")
	case c.Type == field.TypeBool:
		value, err = strconv.ParseBool(cell)
		return value, valid(err == nil, "true or false")
	case c.Type.Integer():
		value, err = strconv.ParseInt(cell, 10, 64)
		return value, valid(err == nil, "a whole number")
	case c.Type.Float():
		value, err = strconv.ParseFloat(cell, 64)
		return value, valid(err == nil, "a number")
	}
	return nil, fmt.Errorf("a column of type %s cannot be filled", c.Type)
}

func valid(ok bool, what string) error {
	if !ok {
		return errors.New("must be " + what)
	}
	return nil
}

// literal writes a value in SQL, in the form in which the program stores it.
func literal(dialectName string, c *schema.Column, value any) (string, error) {
	if c.Type == field.TypeJSON {
		b, err := json.Marshal(value)
		return quoted(string(b)), err
	}
	value, err := driver.DefaultParameterConverter.ConvertValue(value)
	if err != nil {
		return "", err
	}
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case string:
		return quoted(v), nil
	case []byte:
		return quoted(string(v)), nil
	case time.Time:
		return quoted(v.UTC().Format(timeLayouts[dialectName])), nil
	}
	return "", fmt.Errorf("a %T has no form in SQL", value)
}

// timeLayouts are the forms in which the drivers write a time.
var timeLayouts = map[string]string{
	dialect.Postgres: "2006-01-02 15:04:05.999999999Z07:00",
	dialect.SQLite:   "2006-01-02 15:04:05.999999999-07:00",
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
