-- +goose Up
-- create "record_counts" table
CREATE TABLE "record_counts" ("workspace_id" uuid NOT NULL, "resource" character varying NOT NULL, "slot" smallint NOT NULL, "n" bigint NOT NULL, PRIMARY KEY ("workspace_id", "resource", "slot"), CONSTRAINT "record_counts_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- leave room for changed counts beside the old ones
ALTER TABLE "record_counts" SET (fillfactor = 50);
-- +goose StatementBegin
CREATE FUNCTION count_records() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  workspace uuid;
  records bigint;
  workspaces integer := 0;
  key integer;
  free smallint;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM record_counts WHERE resource = TG_TABLE_NAME;
    RETURN NULL;
  END IF;
  FOR workspace, records IN SELECT workspace_id, count(*) FROM changed GROUP BY workspace_id ORDER BY workspace_id LOOP
    workspaces := workspaces + 1;
    IF workspaces > 100 THEN
      free := -1;
    ELSE
      key := hashtext(TG_TABLE_NAME || workspace);
      free := 0;
      IF NOT pg_try_advisory_xact_lock(key, free) THEN
        free := 1 + pg_backend_pid() % 31;
        WHILE NOT pg_try_advisory_xact_lock(key, free) LOOP
          free := free + 1;
        END LOOP;
      END IF;
    END IF;
    IF TG_OP = 'DELETE' THEN
      records := -records;
    END IF;
    INSERT INTO record_counts (workspace_id, resource, slot, n) VALUES (workspace, TG_TABLE_NAME, free, records)
      ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = record_counts.n + excluded.n;
  END LOOP;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER "companies_count_delete" AFTER DELETE ON "companies" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "companies_count_insert" AFTER INSERT ON "companies" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "companies_count_truncate" AFTER TRUNCATE ON "companies" FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "contacts_count_delete" AFTER DELETE ON "contacts" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "contacts_count_insert" AFTER INSERT ON "contacts" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "contacts_count_truncate" AFTER TRUNCATE ON "contacts" FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "deals_count_delete" AFTER DELETE ON "deals" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "deals_count_insert" AFTER INSERT ON "deals" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "deals_count_truncate" AFTER TRUNCATE ON "deals" FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "invoices_count_delete" AFTER DELETE ON "invoices" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "invoices_count_insert" AFTER INSERT ON "invoices" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "invoices_count_truncate" AFTER TRUNCATE ON "invoices" FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "projects_count_delete" AFTER DELETE ON "projects" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "projects_count_insert" AFTER INSERT ON "projects" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "projects_count_truncate" AFTER TRUNCATE ON "projects" FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "tasks_count_delete" AFTER DELETE ON "tasks" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "tasks_count_insert" AFTER INSERT ON "tasks" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "tasks_count_truncate" AFTER TRUNCATE ON "tasks" FOR EACH STATEMENT EXECUTE FUNCTION count_records();
