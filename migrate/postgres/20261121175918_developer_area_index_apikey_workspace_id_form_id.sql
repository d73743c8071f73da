-- +goose Up
-- +goose NO TRANSACTION
-- records: allow breaks: the running program leaves the column null, and nulls are no duplicates
-- create index "apikey_workspace_id_form_id" to table: "api_keys"
CREATE UNIQUE INDEX CONCURRENTLY "apikey_workspace_id_form_id" ON "api_keys" ("workspace_id", "form_id");
