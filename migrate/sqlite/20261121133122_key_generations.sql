-- +goose Up
-- create "key_generations" table
CREATE TABLE `key_generations` (`id` uuid NOT NULL, `generation` text NOT NULL, PRIMARY KEY (`id`));
INSERT INTO `key_generations` (`id`, `generation`) VALUES ('00000000-0000-7000-8000-000000000001', lower(hex(randomblob(16))));
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
