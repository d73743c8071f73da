package counts

import "fmt"

// Function is the name of the function that PostgreSQL's triggers call.
const Function = "count_records"

// manyWorkspaces is up to how many workspaces a statement takes a lock each. More
// could fill the lock table of the server.
const manyWorkspaces = 100

// slots is over how many slots writers who come at once are spread at first.
const slots = 31

// PostgresFunction is the function that counts, once for each statement, so that
// a bulk insert costs no more than one row. In a transaction no count is written
// that another open one has written: a slot is taken with an advisory lock, and
// who finds it taken goes on to the next. So a long import holds up nobody, and
// two transactions that write to the same resources in different order cannot
// wait for each other.
func PostgresFunction() string {
	return fmt.Sprintf(`CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  workspace uuid;
  records bigint;
  workspaces integer := 0;
  key integer;
  free smallint;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM %[2]s WHERE resource = TG_TABLE_NAME;
    RETURN NULL;
  END IF;
  FOR workspace, records IN SELECT workspace_id, count(*) FROM changed GROUP BY workspace_id ORDER BY workspace_id LOOP
    workspaces := workspaces + 1;
    IF workspaces > %[3]d THEN
      free := %[4]d;
    ELSE
      key := hashtext(TG_TABLE_NAME || workspace);
      free := 0;
      IF NOT pg_try_advisory_xact_lock(key, free) THEN
        free := 1 + pg_backend_pid() %% %[5]d;
        WHILE NOT pg_try_advisory_xact_lock(key, free) LOOP
          free := free + 1;
        END LOOP;
      END IF;
    END IF;
    IF TG_OP = 'DELETE' THEN
      records := -records;
    END IF;
    INSERT INTO %[2]s (workspace_id, resource, slot, n) VALUES (workspace, TG_TABLE_NAME, free, records)
      ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = %[2]s.n + excluded.n;
  END LOOP;
  RETURN NULL;
END $$`, Function, Table, manyWorkspaces, MendedSlot, slots)
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
