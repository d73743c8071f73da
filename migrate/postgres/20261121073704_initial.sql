-- +goose Up
-- create "workspaces" table
CREATE TABLE "workspaces" ("id" uuid NOT NULL, "name" character varying NOT NULL, "created_at" timestamptz NOT NULL, PRIMARY KEY ("id"));
-- create index "workspaces_name_key" to table: "workspaces"
CREATE UNIQUE INDEX "workspaces_name_key" ON "workspaces" ("name");
-- create "api_keys" table
CREATE TABLE "api_keys" ("id" uuid NOT NULL, "name" character varying NOT NULL, "hash" character varying NOT NULL, "prefix" character varying NOT NULL, "scope" character varying NOT NULL, "created_at" timestamptz NOT NULL, "last_used_at" timestamptz NULL, "expires_at" timestamptz NULL, "revoked_at" timestamptz NULL, "workspace_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "api_keys_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "api_keys_hash_key" to table: "api_keys"
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys" ("hash");
-- create index "apikey_workspace_id" to table: "api_keys"
CREATE INDEX "apikey_workspace_id" ON "api_keys" ("workspace_id");
-- create "companies" table
CREATE TABLE "companies" ("workspace_id" uuid NOT NULL, "id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "name" character varying NOT NULL, "domain" character varying NULL, "industry" character varying NULL, "email" character varying NULL, "phone" character varying NULL, "website" character varying NULL, "address" character varying NULL, "owner_id" uuid NULL, PRIMARY KEY ("workspace_id", "id"), CONSTRAINT "companies_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create "contacts" table
CREATE TABLE "contacts" ("workspace_id" uuid NOT NULL, "id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "name" character varying NOT NULL, "email" character varying NULL, "phone" character varying NULL, "owner_id" uuid NULL, "company_id" uuid NULL, PRIMARY KEY ("workspace_id", "id"), CONSTRAINT "contacts_companies_company" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "companies" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("company_id"), CONSTRAINT "contacts_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "contacts_company_id" to table: "contacts"
CREATE INDEX "contacts_company_id" ON "contacts" ("workspace_id", "company_id") WHERE (company_id IS NOT NULL);
-- create "deals" table
CREATE TABLE "deals" ("workspace_id" uuid NOT NULL, "id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "title" character varying NOT NULL, "stage" character varying NULL, "value" numeric(19,4) NULL, "owner_id" uuid NULL, "company_id" uuid NULL, "contact_id" uuid NULL, PRIMARY KEY ("workspace_id", "id"), CONSTRAINT "deals_companies_company" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "companies" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("company_id"), CONSTRAINT "deals_contacts_contact" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("contact_id"), CONSTRAINT "deals_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "deals_company_id" to table: "deals"
CREATE INDEX "deals_company_id" ON "deals" ("workspace_id", "company_id") WHERE (company_id IS NOT NULL);
-- create index "deals_contact_id" to table: "deals"
CREATE INDEX "deals_contact_id" ON "deals" ("workspace_id", "contact_id") WHERE (contact_id IS NOT NULL);
-- create "invoices" table
CREATE TABLE "invoices" ("workspace_id" uuid NOT NULL, "id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "number" character varying NULL, "status" character varying NULL, "currency" character varying NULL, "amount" numeric(19,4) NULL, "issue_date" date NULL, "due_date" date NULL, "paid_at" timestamptz NULL, "description" character varying NULL, "company_id" uuid NULL, "contact_id" uuid NULL, "deal_id" uuid NULL, PRIMARY KEY ("workspace_id", "id"), CONSTRAINT "invoices_companies_company" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "companies" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("company_id"), CONSTRAINT "invoices_contacts_contact" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "contacts" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("contact_id"), CONSTRAINT "invoices_deals_deal" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("deal_id"), CONSTRAINT "invoices_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "invoices_company_id" to table: "invoices"
CREATE INDEX "invoices_company_id" ON "invoices" ("workspace_id", "company_id") WHERE (company_id IS NOT NULL);
-- create index "invoices_contact_id" to table: "invoices"
CREATE INDEX "invoices_contact_id" ON "invoices" ("workspace_id", "contact_id") WHERE (contact_id IS NOT NULL);
-- create index "invoices_deal_id" to table: "invoices"
CREATE INDEX "invoices_deal_id" ON "invoices" ("workspace_id", "deal_id") WHERE (deal_id IS NOT NULL);
-- create "projects" table
CREATE TABLE "projects" ("workspace_id" uuid NOT NULL, "id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "name" character varying NOT NULL, "status" character varying NULL, "description" character varying NULL, "start_date" date NULL, "due_date" date NULL, "owner_id" uuid NULL, "company_id" uuid NULL, PRIMARY KEY ("workspace_id", "id"), CONSTRAINT "projects_companies_company" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "companies" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("company_id"), CONSTRAINT "projects_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "projects_company_id" to table: "projects"
CREATE INDEX "projects_company_id" ON "projects" ("workspace_id", "company_id") WHERE (company_id IS NOT NULL);
-- create "tasks" table
CREATE TABLE "tasks" ("workspace_id" uuid NOT NULL, "id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "name" character varying NOT NULL, "status" character varying NULL, "priority" character varying NULL, "assignee_id" uuid NULL, "due_date" date NULL, "description" character varying NULL, "project_id" uuid NULL, PRIMARY KEY ("workspace_id", "id"), CONSTRAINT "tasks_projects_project" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("project_id"), CONSTRAINT "tasks_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "tasks_project_id" to table: "tasks"
CREATE INDEX "tasks_project_id" ON "tasks" ("workspace_id", "project_id") WHERE (project_id IS NOT NULL);
