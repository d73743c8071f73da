-- +goose Up
-- count what is in "companies" already
INSERT INTO record_counts (workspace_id, resource, slot, n)
SELECT workspace_id, 'companies', -1, sum(present) - sum(counted)
FROM (
  SELECT workspace_id, count(*) AS present, 0 AS counted FROM companies GROUP BY workspace_id
  UNION ALL SELECT workspace_id, 0, n FROM record_counts WHERE resource = 'companies'
) AS both_sides
GROUP BY workspace_id HAVING sum(present) <> sum(counted)
ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = record_counts.n + excluded.n;
-- count what is in "contacts" already
INSERT INTO record_counts (workspace_id, resource, slot, n)
SELECT workspace_id, 'contacts', -1, sum(present) - sum(counted)
FROM (
  SELECT workspace_id, count(*) AS present, 0 AS counted FROM contacts GROUP BY workspace_id
  UNION ALL SELECT workspace_id, 0, n FROM record_counts WHERE resource = 'contacts'
) AS both_sides
GROUP BY workspace_id HAVING sum(present) <> sum(counted)
ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = record_counts.n + excluded.n;
-- count what is in "deals" already
INSERT INTO record_counts (workspace_id, resource, slot, n)
SELECT workspace_id, 'deals', -1, sum(present) - sum(counted)
FROM (
  SELECT workspace_id, count(*) AS present, 0 AS counted FROM deals GROUP BY workspace_id
  UNION ALL SELECT workspace_id, 0, n FROM record_counts WHERE resource = 'deals'
) AS both_sides
GROUP BY workspace_id HAVING sum(present) <> sum(counted)
ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = record_counts.n + excluded.n;
-- count what is in "invoices" already
INSERT INTO record_counts (workspace_id, resource, slot, n)
SELECT workspace_id, 'invoices', -1, sum(present) - sum(counted)
FROM (
  SELECT workspace_id, count(*) AS present, 0 AS counted FROM invoices GROUP BY workspace_id
  UNION ALL SELECT workspace_id, 0, n FROM record_counts WHERE resource = 'invoices'
) AS both_sides
GROUP BY workspace_id HAVING sum(present) <> sum(counted)
ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = record_counts.n + excluded.n;
-- count what is in "projects" already
INSERT INTO record_counts (workspace_id, resource, slot, n)
SELECT workspace_id, 'projects', -1, sum(present) - sum(counted)
FROM (
  SELECT workspace_id, count(*) AS present, 0 AS counted FROM projects GROUP BY workspace_id
  UNION ALL SELECT workspace_id, 0, n FROM record_counts WHERE resource = 'projects'
) AS both_sides
GROUP BY workspace_id HAVING sum(present) <> sum(counted)
ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = record_counts.n + excluded.n;
-- count what is in "tasks" already
INSERT INTO record_counts (workspace_id, resource, slot, n)
SELECT workspace_id, 'tasks', -1, sum(present) - sum(counted)
FROM (
  SELECT workspace_id, count(*) AS present, 0 AS counted FROM tasks GROUP BY workspace_id
  UNION ALL SELECT workspace_id, 0, n FROM record_counts WHERE resource = 'tasks'
) AS both_sides
GROUP BY workspace_id HAVING sum(present) <> sum(counted)
ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = record_counts.n + excluded.n;
