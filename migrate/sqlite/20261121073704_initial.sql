-- +goose Up
-- create "api_keys" table
CREATE TABLE `api_keys` (`id` uuid NOT NULL, `name` text NOT NULL, `hash` text NOT NULL, `prefix` text NOT NULL, `scope` text NOT NULL, `created_at` datetime NOT NULL, `last_used_at` datetime NULL, `expires_at` datetime NULL, `revoked_at` datetime NULL, `workspace_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `api_keys_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON DELETE NO ACTION);
-- create index "api_keys_hash_key" to table: "api_keys"
CREATE UNIQUE INDEX `api_keys_hash_key` ON `api_keys` (`hash`);
-- create index "apikey_workspace_id" to table: "api_keys"
CREATE INDEX `apikey_workspace_id` ON `api_keys` (`workspace_id`);
-- create "companies" table
CREATE TABLE `companies` (`workspace_id` uuid NOT NULL, `id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `name` text NOT NULL, `domain` text NULL, `industry` text NULL, `email` text NULL, `phone` text NULL, `website` text NULL, `address` text NULL, `owner_id` uuid NULL, PRIMARY KEY (`workspace_id`, `id`), CONSTRAINT `companies_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON DELETE NO ACTION);
-- create "contacts" table
CREATE TABLE `contacts` (`workspace_id` uuid NOT NULL, `id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `name` text NOT NULL, `email` text NULL, `phone` text NULL, `owner_id` uuid NULL, `company_id` uuid NULL, PRIMARY KEY (`workspace_id`, `id`), CONSTRAINT `contacts_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON DELETE NO ACTION, CONSTRAINT `contacts_companies_company` FOREIGN KEY (`workspace_id`, `company_id`) REFERENCES `companies` (`workspace_id`, `id`) ON DELETE NO ACTION);
-- create index "contacts_company_id" to table: "contacts"
CREATE INDEX `contacts_company_id` ON `contacts` (`workspace_id`, `company_id`) WHERE company_id IS NOT NULL;
-- create "deals" table
CREATE TABLE `deals` (`workspace_id` uuid NOT NULL, `id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `title` text NOT NULL, `stage` text NULL, `value` text NULL, `owner_id` uuid NULL, `company_id` uuid NULL, `contact_id` uuid NULL, PRIMARY KEY (`workspace_id`, `id`), CONSTRAINT `deals_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON DELETE NO ACTION, CONSTRAINT `deals_companies_company` FOREIGN KEY (`workspace_id`, `company_id`) REFERENCES `companies` (`workspace_id`, `id`) ON DELETE NO ACTION, CONSTRAINT `deals_contacts_contact` FOREIGN KEY (`workspace_id`, `contact_id`) REFERENCES `contacts` (`workspace_id`, `id`) ON DELETE NO ACTION);
-- create index "deals_company_id" to table: "deals"
CREATE INDEX `deals_company_id` ON `deals` (`workspace_id`, `company_id`) WHERE company_id IS NOT NULL;
-- create index "deals_contact_id" to table: "deals"
CREATE INDEX `deals_contact_id` ON `deals` (`workspace_id`, `contact_id`) WHERE contact_id IS NOT NULL;
-- create "invoices" table
CREATE TABLE `invoices` (`workspace_id` uuid NOT NULL, `id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `number` text NULL, `status` text NULL, `currency` text NULL, `amount` text NULL, `issue_date` text NULL, `due_date` text NULL, `paid_at` datetime NULL, `description` text NULL, `company_id` uuid NULL, `contact_id` uuid NULL, `deal_id` uuid NULL, PRIMARY KEY (`workspace_id`, `id`), CONSTRAINT `invoices_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON DELETE NO ACTION, CONSTRAINT `invoices_companies_company` FOREIGN KEY (`workspace_id`, `company_id`) REFERENCES `companies` (`workspace_id`, `id`) ON DELETE NO ACTION, CONSTRAINT `invoices_contacts_contact` FOREIGN KEY (`workspace_id`, `contact_id`) REFERENCES `contacts` (`workspace_id`, `id`) ON DELETE NO ACTION, CONSTRAINT `invoices_deals_deal` FOREIGN KEY (`workspace_id`, `deal_id`) REFERENCES `deals` (`workspace_id`, `id`) ON DELETE NO ACTION);
-- create index "invoices_company_id" to table: "invoices"
CREATE INDEX `invoices_company_id` ON `invoices` (`workspace_id`, `company_id`) WHERE company_id IS NOT NULL;
-- create index "invoices_contact_id" to table: "invoices"
CREATE INDEX `invoices_contact_id` ON `invoices` (`workspace_id`, `contact_id`) WHERE contact_id IS NOT NULL;
-- create index "invoices_deal_id" to table: "invoices"
CREATE INDEX `invoices_deal_id` ON `invoices` (`workspace_id`, `deal_id`) WHERE deal_id IS NOT NULL;
-- create "projects" table
CREATE TABLE `projects` (`workspace_id` uuid NOT NULL, `id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `name` text NOT NULL, `status` text NULL, `description` text NULL, `start_date` text NULL, `due_date` text NULL, `owner_id` uuid NULL, `company_id` uuid NULL, PRIMARY KEY (`workspace_id`, `id`), CONSTRAINT `projects_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON DELETE NO ACTION, CONSTRAINT `projects_companies_company` FOREIGN KEY (`workspace_id`, `company_id`) REFERENCES `companies` (`workspace_id`, `id`) ON DELETE NO ACTION);
-- create index "projects_company_id" to table: "projects"
CREATE INDEX `projects_company_id` ON `projects` (`workspace_id`, `company_id`) WHERE company_id IS NOT NULL;
-- create "tasks" table
CREATE TABLE `tasks` (`workspace_id` uuid NOT NULL, `id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `name` text NOT NULL, `status` text NULL, `priority` text NULL, `assignee_id` uuid NULL, `due_date` text NULL, `description` text NULL, `project_id` uuid NULL, PRIMARY KEY (`workspace_id`, `id`), CONSTRAINT `tasks_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON DELETE NO ACTION, CONSTRAINT `tasks_projects_project` FOREIGN KEY (`workspace_id`, `project_id`) REFERENCES `projects` (`workspace_id`, `id`) ON DELETE NO ACTION);
-- create index "tasks_project_id" to table: "tasks"
CREATE INDEX `tasks_project_id` ON `tasks` (`workspace_id`, `project_id`) WHERE project_id IS NOT NULL;
-- create "workspaces" table
CREATE TABLE `workspaces` (`id` uuid NOT NULL, `name` text NOT NULL, `created_at` datetime NOT NULL, PRIMARY KEY (`id`));
-- create index "workspaces_name_key" to table: "workspaces"
CREATE UNIQUE INDEX `workspaces_name_key` ON `workspaces` (`name`);
-- +goose StatementBegin
CREATE TRIGGER `companies_clear_references` BEFORE DELETE ON `companies` FOR EACH ROW BEGIN
  UPDATE `contacts` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;
  UPDATE `deals` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;
  UPDATE `invoices` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;
  UPDATE `projects` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `contacts_clear_references` BEFORE DELETE ON `contacts` FOR EACH ROW BEGIN
  UPDATE `deals` SET `contact_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `contact_id` = OLD.`id`;
  UPDATE `invoices` SET `contact_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `contact_id` = OLD.`id`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `deals_clear_references` BEFORE DELETE ON `deals` FOR EACH ROW BEGIN
  UPDATE `invoices` SET `deal_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `deal_id` = OLD.`id`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `projects_clear_references` BEFORE DELETE ON `projects` FOR EACH ROW BEGIN
  UPDATE `tasks` SET `project_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `project_id` = OLD.`id`;
END;
-- +goose StatementEnd
