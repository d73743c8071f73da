-- +goose Up
-- create "key_traffic" table
CREATE TABLE `key_traffic` (`id` uuid NOT NULL, `workspace_id` uuid NOT NULL, `key_id` uuid NOT NULL, `start` datetime NOT NULL, `seconds` integer NOT NULL, `status` integer NOT NULL, `requests` integer NOT NULL, PRIMARY KEY (`id`));
-- create index "keytraffic_workspace_id_seconds_start" to table: "key_traffic"
CREATE INDEX `keytraffic_workspace_id_seconds_start` ON `key_traffic` (`workspace_id`, `seconds`, `start`);
-- create index "keytraffic_seconds_start" to table: "key_traffic"
CREATE INDEX `keytraffic_seconds_start` ON `key_traffic` (`seconds`, `start`);
-- create "refused_requests" table
CREATE TABLE `refused_requests` (`id` uuid NOT NULL, `workspace_id` uuid NOT NULL, `key_id` uuid NOT NULL, `at` datetime NOT NULL, `status` integer NOT NULL, `code` text NOT NULL, `method` text NOT NULL, `route` text NOT NULL, `request_id` text NOT NULL, PRIMARY KEY (`id`));
-- create index "refusedrequest_workspace_id_id" to table: "refused_requests"
CREATE INDEX `refusedrequest_workspace_id_id` ON `refused_requests` (`workspace_id`, `id`);
-- create index "refusedrequest_key_id_id" to table: "refused_requests"
CREATE INDEX `refusedrequest_key_id_id` ON `refused_requests` (`key_id`, `id`);
