-- +goose Up
-- add column "form_id" to table: "api_keys"
ALTER TABLE `api_keys` ADD COLUMN `form_id` uuid NULL;
-- add column "replaces" to table: "api_keys"
ALTER TABLE `api_keys` ADD COLUMN `replaces` uuid NULL;
-- create index "apikey_workspace_id_form_id" to table: "api_keys"
CREATE UNIQUE INDEX `apikey_workspace_id_form_id` ON `api_keys` (`workspace_id`, `form_id`);
-- create index "apikey_workspace_id_replaces" to table: "api_keys"
CREATE UNIQUE INDEX `apikey_workspace_id_replaces` ON `api_keys` (`workspace_id`, `replaces`);
