package counts

import "fmt"

// Function is the name of the function that PostgreSQL's triggers call.
const Function = "count_records"

// manyWorkspaces is up to how many workspaces a statement takes a lock each. More
// could fill the lock table of the server.
const manyWorkspaces = 100

// slots is over how many slots writers who come at once are spread at first.
const slots = 31

// PostgresFunction is the statement that makes the function that counts, once for
// each statement, so that a bulk insert costs no more than one row. Nearly every
// statement writes one row, which it finds out first: to group rows costs more than
// to write their count.
//
// In a transaction no count is written that another open one has written: a slot is
// taken with an advisory lock, and who finds it taken goes on to the next. So a long
// import holds up nobody, and two transactions that write to the same resources in
// different order cannot wait for each other.
//
// The function names the schema of the counts, which is the one in use when it is
// made: whatever a session's search_path is, also that of pg_restore, which is empty,
// and whatever temporary table somebody has called as ours is. A search_path of the
// function's own would cost some 4 µs of every write, and not keep that table out.
func PostgresFunction() string {
	return fmt.Sprintf(`DO $make$ BEGIN EXECUTE format($text$
CREATE FUNCTION %%1$I.%[1]s() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspaces uuid[];
  records bigint[];
  key integer;
  free smallint;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM %%1$I.%[2]s WHERE resource = TG_TABLE_NAME;
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
    IF i > %[3]d THEN
      free := %[4]d;
    ELSE
      key := hashtext(TG_TABLE_NAME || workspaces[i]);
      free := 0;
      IF NOT pg_try_advisory_xact_lock(key, free) THEN
        free := 1 + mod(pg_backend_pid(), %[5]d);
        WHILE NOT pg_try_advisory_xact_lock(key, free) LOOP
          free := free + 1;
        END LOOP;
      END IF;
    END IF;
    IF TG_OP = 'DELETE' THEN
      records[i] := -records[i];
    END IF;
    INSERT INTO %%1$I.%[2]s AS kept (workspace_id, resource, slot, n) VALUES (workspaces[i], TG_TABLE_NAME, free, records[i])
      ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = kept.n + excluded.n;
  END LOOP;
  RETURN NULL;
END $$;
$text$, current_schema()); END $make$`, Function, Table, manyWorkspaces, MendedSlot, slots)
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
