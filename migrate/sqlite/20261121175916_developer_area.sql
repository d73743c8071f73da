-- +goose Up
DROP TRIGGER `api_keys_renew_generation_delete`;
DROP TRIGGER `api_keys_renew_generation_replace`;
DROP TRIGGER `api_keys_renew_generation_update`;
-- create "audit_events" table
CREATE TABLE `audit_events` (`id` uuid NOT NULL, `action` text NOT NULL, `detail` text NOT NULL, `created_at` datetime NOT NULL, `workspace_id` uuid NOT NULL, `user_id` uuid NULL, `key_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `audit_events_api_keys_key` FOREIGN KEY (`key_id`) REFERENCES `api_keys` (`id`) ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT `audit_events_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT `audit_events_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "auditevent_workspace_id_id" to table: "audit_events"
CREATE INDEX `auditevent_workspace_id_id` ON `audit_events` (`workspace_id`, `id`);
-- create index "auditevent_key_id" to table: "audit_events"
CREATE INDEX `auditevent_key_id` ON `audit_events` (`key_id`);
-- create "invitations" table
CREATE TABLE `invitations` (`id` uuid NOT NULL, `hash` text NOT NULL, `email` text NULL, `role` text NOT NULL, `created_at` datetime NOT NULL, `expires_at` datetime NOT NULL, `accepted_at` datetime NULL, `revoked_at` datetime NULL, `workspace_id` uuid NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `invitations_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT `invitations_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "invitations_hash_key" to table: "invitations"
CREATE UNIQUE INDEX `invitations_hash_key` ON `invitations` (`hash`);
-- create index "invitation_workspace_id" to table: "invitations"
CREATE INDEX `invitation_workspace_id` ON `invitations` (`workspace_id`);
-- create "key_traffic" table
CREATE TABLE `key_traffic` (`id` uuid NOT NULL, `workspace_id` uuid NOT NULL, `key_id` uuid NOT NULL, `start` datetime NOT NULL, `seconds` integer NOT NULL, `status` integer NOT NULL, `requests` integer NOT NULL, PRIMARY KEY (`id`));
-- create index "keytraffic_workspace_id_seconds_start" to table: "key_traffic"
CREATE INDEX `keytraffic_workspace_id_seconds_start` ON `key_traffic` (`workspace_id`, `seconds`, `start`);
-- create index "keytraffic_seconds_start" to table: "key_traffic"
CREATE INDEX `keytraffic_seconds_start` ON `key_traffic` (`seconds`, `start`);
-- create "members" table
CREATE TABLE `members` (`id` uuid NOT NULL, `role` text NOT NULL, `created_at` datetime NOT NULL, `workspace_id` uuid NOT NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `members_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT `members_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "member_workspace_id_user_id" to table: "members"
CREATE UNIQUE INDEX `member_workspace_id_user_id` ON `members` (`workspace_id`, `user_id`);
-- create index "member_user_id" to table: "members"
CREATE INDEX `member_user_id` ON `members` (`user_id`);
-- create "refused_requests" table
CREATE TABLE `refused_requests` (`id` uuid NOT NULL, `workspace_id` uuid NOT NULL, `key_id` uuid NOT NULL, `at` datetime NOT NULL, `status` integer NOT NULL, `code` text NOT NULL, `method` text NOT NULL, `route` text NOT NULL, `request_id` text NOT NULL, PRIMARY KEY (`id`));
-- create index "refusedrequest_workspace_id_id" to table: "refused_requests"
CREATE INDEX `refusedrequest_workspace_id_id` ON `refused_requests` (`workspace_id`, `id`);
-- create index "refusedrequest_key_id_id" to table: "refused_requests"
CREATE INDEX `refusedrequest_key_id_id` ON `refused_requests` (`key_id`, `id`);
-- create "sessions" table
CREATE TABLE `sessions` (`id` uuid NOT NULL, `hash` text NOT NULL, `data` blob NOT NULL, `address` text NULL, `agent` text NULL, `created_at` datetime NOT NULL, `last_used_at` datetime NOT NULL, `expires_at` datetime NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE);
-- create index "sessions_hash_key" to table: "sessions"
CREATE UNIQUE INDEX `sessions_hash_key` ON `sessions` (`hash`);
-- create index "session_user_id" to table: "sessions"
CREATE INDEX `session_user_id` ON `sessions` (`user_id`);
-- create index "session_expires_at" to table: "sessions"
CREATE INDEX `session_expires_at` ON `sessions` (`expires_at`);
-- create "users" table
CREATE TABLE `users` (`id` uuid NOT NULL, `email` text NOT NULL, `name` text NOT NULL, `password_hash` text NULL, `issuer` text NULL, `subject` text NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `signed_in_at` datetime NULL, PRIMARY KEY (`id`));
-- create index "users_email_key" to table: "users"
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email`);
-- create index "user_issuer_subject" to table: "users"
CREATE UNIQUE INDEX `user_issuer_subject` ON `users` (`issuer`, `subject`);
-- create "new_api_keys" table
CREATE TABLE `new_api_keys` (`id` uuid NOT NULL, `name` text NOT NULL, `hash` text NOT NULL, `prefix` text NOT NULL, `scope` text NOT NULL, `form_id` uuid NULL, `replaces` uuid NULL, `created_at` datetime NOT NULL, `last_used_at` datetime NULL, `expires_at` datetime NULL, `revoked_at` datetime NULL, `workspace_id` uuid NOT NULL, `created_by` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `api_keys_users_creator` FOREIGN KEY (`created_by`) REFERENCES `users` (`id`) ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT `api_keys_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON UPDATE NO ACTION ON DELETE NO ACTION);
-- copy rows from old table "api_keys" to new temporary table "new_api_keys"
INSERT INTO `new_api_keys` (`id`, `name`, `hash`, `prefix`, `scope`, `created_at`, `last_used_at`, `expires_at`, `revoked_at`, `workspace_id`) SELECT `id`, `name`, `hash`, `prefix`, `scope`, `created_at`, `last_used_at`, `expires_at`, `revoked_at`, `workspace_id` FROM `api_keys`;
-- drop "api_keys" table after copying rows
-- records: allow rewrites: SQLite changes this only by copying the table
DROP TABLE `api_keys`;
-- rename temporary table "new_api_keys" to "api_keys"
ALTER TABLE `new_api_keys` RENAME TO `api_keys`;
-- create index "api_keys_hash_key" to table: "api_keys"
CREATE UNIQUE INDEX `api_keys_hash_key` ON `api_keys` (`hash`);
-- create index "apikey_workspace_id" to table: "api_keys"
CREATE INDEX `apikey_workspace_id` ON `api_keys` (`workspace_id`);
-- create index "apikey_workspace_id_form_id" to table: "api_keys"
CREATE UNIQUE INDEX `apikey_workspace_id_form_id` ON `api_keys` (`workspace_id`, `form_id`);
-- create index "apikey_workspace_id_replaces" to table: "api_keys"
CREATE UNIQUE INDEX `apikey_workspace_id_replaces` ON `api_keys` (`workspace_id`, `replaces`);
-- +goose StatementBegin
CREATE TRIGGER `api_keys_renew_generation_delete` AFTER DELETE ON `api_keys` FOR EACH ROW BEGIN
  UPDATE `key_generations` SET `generation` = lower(hex(randomblob(16)));
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `api_keys_renew_generation_replace` BEFORE INSERT ON `api_keys` FOR EACH ROW BEGIN
  UPDATE `key_generations` SET `generation` = lower(hex(randomblob(16))) WHERE EXISTS (SELECT 1 FROM `api_keys` WHERE `id` = NEW.`id` OR `hash` = NEW.`hash`);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `api_keys_renew_generation_update` AFTER UPDATE OF id, workspace_id, hash, scope, expires_at, revoked_at ON `api_keys` FOR EACH ROW BEGIN
  UPDATE `key_generations` SET `generation` = lower(hex(randomblob(16)));
END;
-- +goose StatementEnd
