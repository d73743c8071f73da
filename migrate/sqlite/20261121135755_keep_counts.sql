-- +goose Up
-- create "record_counts" table
CREATE TABLE `record_counts` (`workspace_id` uuid NOT NULL, `resource` text NOT NULL, `slot` integer NOT NULL, `n` integer NOT NULL, PRIMARY KEY (`workspace_id`, `resource`, `slot`), CONSTRAINT `record_counts_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON UPDATE NO ACTION ON DELETE CASCADE);
-- +goose StatementBegin
CREATE TRIGGER `companies_count_delete` AFTER DELETE ON `companies` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (OLD.`workspace_id`, 'companies', 0, -1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `companies_count_insert` AFTER INSERT ON `companies` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (NEW.`workspace_id`, 'companies', 0, 1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `contacts_count_delete` AFTER DELETE ON `contacts` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (OLD.`workspace_id`, 'contacts', 0, -1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `contacts_count_insert` AFTER INSERT ON `contacts` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (NEW.`workspace_id`, 'contacts', 0, 1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `deals_count_delete` AFTER DELETE ON `deals` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (OLD.`workspace_id`, 'deals', 0, -1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `deals_count_insert` AFTER INSERT ON `deals` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (NEW.`workspace_id`, 'deals', 0, 1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `invoices_count_delete` AFTER DELETE ON `invoices` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (OLD.`workspace_id`, 'invoices', 0, -1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `invoices_count_insert` AFTER INSERT ON `invoices` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (NEW.`workspace_id`, 'invoices', 0, 1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `projects_count_delete` AFTER DELETE ON `projects` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (OLD.`workspace_id`, 'projects', 0, -1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `projects_count_insert` AFTER INSERT ON `projects` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (NEW.`workspace_id`, 'projects', 0, 1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `tasks_count_delete` AFTER DELETE ON `tasks` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (OLD.`workspace_id`, 'tasks', 0, -1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER `tasks_count_insert` AFTER INSERT ON `tasks` FOR EACH ROW BEGIN
  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (NEW.`workspace_id`, 'tasks', 0, 1)
    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;
END;
-- +goose StatementEnd
