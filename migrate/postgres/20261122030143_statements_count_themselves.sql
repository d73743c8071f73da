-- +goose Up
-- +goose StatementBegin
DO $make$ BEGIN EXECUTE format($text$
CREATE OR REPLACE FUNCTION %1$I.count_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspaces uuid[];
  records bigint[];
  free smallint;
BEGIN
  IF starts_with(current_query(), '/* counts itself in ' || TG_TABLE_NAME || ' ') AND pg_trigger_depth() = 1 THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM %1$I.record_counts WHERE resource = TG_TABLE_NAME;
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
    free := CASE WHEN i > 100 THEN -1 ELSE %1$I.count_slot(hashtext(TG_TABLE_NAME || workspaces[i])) END;
    IF TG_OP = 'DELETE' THEN
      records[i] := -records[i];
    END IF;
    INSERT INTO %1$I.record_counts AS kept (workspace_id, resource, slot, n) VALUES (workspaces[i], TG_TABLE_NAME, free, records[i])
      ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = kept.n + excluded.n;
  END LOOP;
  RETURN NULL;
END $$;
$text$, current_schema()); END $make$;
-- +goose StatementEnd
-- +goose StatementBegin
DO $make$ BEGIN EXECUTE format($text$
CREATE FUNCTION %1$I.count_slot(key integer) RETURNS smallint LANGUAGE plpgsql AS $$
DECLARE
  free smallint := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(key, free) THEN
    free := 1 + mod(pg_backend_pid(), 31);
    WHILE NOT pg_try_advisory_xact_lock(key, free) LOOP
      free := free + 1;
    END LOOP;
  END IF;
  RETURN free;
END $$;
GRANT EXECUTE ON FUNCTION %1$I.count_slot TO PUBLIC;
$text$, current_schema()); END $make$;
-- +goose StatementEnd
