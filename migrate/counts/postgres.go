package counts

import (
	"fmt"
	"strings"
)

// The functions of PostgreSQL: the one that its triggers call, and the one that finds
// a slot.
const (
	Function     = "count_records"
	SlotFunction = "count_slot"
)

// manyWorkspaces is up to how many workspaces a statement takes a lock each. More
// could fill the lock table of the server.
const manyWorkspaces = 100

// slots is over how many slots writers who come at once are spread at first.
const slots = 31

// PostgresFunctions are the statements that make the functions, by name.
//
// The one counts once for each statement, so that a bulk insert costs no more than one
// row. Many statements write one row, which it finds out first: to group rows costs
// more than to write their count. A statement that begins with itself has counted the
// one record; what it has the database do further, in another table or by another
// trigger, has not been.
//
// The other takes a slot that no other open transaction has, with an advisory lock: who
// finds one taken goes on to the next. So no count is written that another has written:
// a long import holds up nobody, and two transactions that write to the same resources
// in different order cannot wait for each other. Whoever writes a record calls it, also
// in a database that lets nobody call a function who was not granted it.
//
// The first names the schema of the counts, which is the one in use when it is
// made: whatever a session's search_path is, also that of pg_restore, which is empty,
// and whatever temporary table somebody has called as ours is. A search_path of the
// function's own would cost some 4 µs of every write, and not keep that table out.
func PostgresFunctions() map[string]string {
	return map[string]string{
		SlotFunction: opening + fmt.Sprintf(`CREATE FUNCTION %%1$I.%[1]s(key integer) RETURNS smallint LANGUAGE plpgsql AS $$
DECLARE
  free smallint := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(key, free) THEN
    free := 1 + mod(pg_backend_pid(), %[2]d);
    WHILE NOT pg_try_advisory_xact_lock(key, free) LOOP
      free := free + 1;
    END LOOP;
  END IF;
  RETURN free;
END $$;
GRANT EXECUTE ON FUNCTION %%1$I.%[1]s TO PUBLIC`, SlotFunction, slots) + closing,
		Function: opening + fmt.Sprintf(`CREATE FUNCTION %%1$I.%[1]s() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspaces uuid[];
  records bigint[];
  free smallint;
BEGIN
  IF starts_with(current_query(), '%[2]s' || TG_TABLE_NAME || ' ') AND pg_trigger_depth() = 1 THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM %%1$I.%[3]s WHERE resource = TG_TABLE_NAME;
    RETURN NULL;
  END IF;
  workspaces := ARRAY(SELECT workspace_id FROM changed LIMIT 2);
  IF cardinality(workspaces) = 1 THEN
    records := '{1}';
  ELSE
    SELECT array_agg(workspace_id), array_agg(n) INTO workspaces, records
      FROM (SELECT workspace_id, count(*) AS n FROM changed GROUP BY workspace_id ORDER BY workspace_id) AS each_workspace;
  END IF;
  FOR i IN 1 .. coalesce(cardinality(workspaces), 0) LOOP
    free := CASE WHEN i > %[4]d THEN %[5]d ELSE %%1$I.%[6]s(hashtext(TG_TABLE_NAME || workspaces[i])) END;
    IF TG_OP = 'DELETE' THEN
      records[i] := -records[i];
    END IF;
    INSERT INTO %%1$I.%[3]s AS kept (workspace_id, resource, slot, n) VALUES (workspaces[i], TG_TABLE_NAME, free, records[i])
      %[7]s;
  END LOOP;
  RETURN NULL;
END $$`, Function, itself, Table, manyWorkspaces, MendedSlot, SlotFunction, adding) + closing,
	}
}

// What stands around the statement of a function that names the schema in use, as %1$I.
const (
	opening = "DO $make$ BEGIN EXECUTE format($text$\n"
	closing = ";\n$text$, current_schema()); END $make$"
)

// Inside returns the statement that another of PostgresFunctions stands around, without
// the schema; false if there is none.
func Inside(statement string) (string, bool) {
	inside, opens := strings.CutPrefix(statement, opening)
	inside, closes := strings.CutSuffix(inside, closing)
	return strings.ReplaceAll(inside, "%1$I.", ""), opens && closes
}

// PostgresTriggers are the triggers of a table, by name.
func PostgresTriggers(table string, name func(string) string) map[string]string {
	triggers := map[string]string{}
	for event, rows := range map[string]string{
		"INSERT":   " REFERENCING NEW TABLE AS changed",
		"DELETE":   " REFERENCING OLD TABLE AS changed",
		"TRUNCATE": "",
	} {
		trigger := name(triggerName(table, event))
		triggers[trigger] = fmt.Sprintf(`CREATE TRIGGER "%s" AFTER %s ON "%s"%s FOR EACH STATEMENT EXECUTE FUNCTION %s()`, trigger, event, table, rows, Function)
	}
	return triggers
}
