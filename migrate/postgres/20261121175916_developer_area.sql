-- +goose Up
-- create "key_traffic" table
CREATE TABLE "key_traffic" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "key_id" uuid NOT NULL, "start" timestamptz NOT NULL, "seconds" smallint NOT NULL, "status" smallint NOT NULL, "requests" bigint NOT NULL, PRIMARY KEY ("id"));
-- create index "keytraffic_seconds_start" to table: "key_traffic"
CREATE INDEX "keytraffic_seconds_start" ON "key_traffic" ("seconds", "start");
-- create index "keytraffic_workspace_id_seconds_start" to table: "key_traffic"
CREATE INDEX "keytraffic_workspace_id_seconds_start" ON "key_traffic" ("workspace_id", "seconds", "start");
-- create "refused_requests" table
CREATE TABLE "refused_requests" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "key_id" uuid NOT NULL, "at" timestamptz NOT NULL, "status" smallint NOT NULL, "code" character varying NOT NULL, "method" character varying NOT NULL, "route" character varying NOT NULL, "request_id" character varying NOT NULL, PRIMARY KEY ("id"));
-- create index "refusedrequest_key_id_id" to table: "refused_requests"
CREATE INDEX "refusedrequest_key_id_id" ON "refused_requests" ("key_id", "id");
-- create index "refusedrequest_workspace_id_id" to table: "refused_requests"
CREATE INDEX "refusedrequest_workspace_id_id" ON "refused_requests" ("workspace_id", "id");
-- create "users" table
CREATE TABLE "users" ("id" uuid NOT NULL, "email" character varying NOT NULL, "name" character varying NOT NULL, "password_hash" character varying NULL, "issuer" character varying NULL, "subject" character varying NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "signed_in_at" timestamptz NULL, PRIMARY KEY ("id"));
-- create index "user_issuer_subject" to table: "users"
CREATE UNIQUE INDEX "user_issuer_subject" ON "users" ("issuer", "subject");
-- create index "users_email_key" to table: "users"
CREATE UNIQUE INDEX "users_email_key" ON "users" ("email");
-- create "audit_events" table
CREATE TABLE "audit_events" ("id" uuid NOT NULL, "action" character varying NOT NULL, "detail" character varying NOT NULL, "created_at" timestamptz NOT NULL, "workspace_id" uuid NOT NULL, "user_id" uuid NULL, "key_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "audit_events_api_keys_key" FOREIGN KEY ("key_id") REFERENCES "api_keys" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT "audit_events_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT "audit_events_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "auditevent_key_id" to table: "audit_events"
CREATE INDEX "auditevent_key_id" ON "audit_events" ("key_id");
-- create index "auditevent_workspace_id_id" to table: "audit_events"
CREATE INDEX "auditevent_workspace_id_id" ON "audit_events" ("workspace_id", "id");
-- create "invitations" table
CREATE TABLE "invitations" ("id" uuid NOT NULL, "hash" character varying NOT NULL, "email" character varying NULL, "role" character varying NOT NULL, "created_at" timestamptz NOT NULL, "expires_at" timestamptz NOT NULL, "accepted_at" timestamptz NULL, "revoked_at" timestamptz NULL, "workspace_id" uuid NOT NULL, "user_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "invitations_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT "invitations_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "invitation_workspace_id" to table: "invitations"
CREATE INDEX "invitation_workspace_id" ON "invitations" ("workspace_id");
-- create index "invitations_hash_key" to table: "invitations"
CREATE UNIQUE INDEX "invitations_hash_key" ON "invitations" ("hash");
-- create "members" table
CREATE TABLE "members" ("id" uuid NOT NULL, "role" character varying NOT NULL, "created_at" timestamptz NOT NULL, "workspace_id" uuid NOT NULL, "user_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "members_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT "members_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- create index "member_user_id" to table: "members"
CREATE INDEX "member_user_id" ON "members" ("user_id");
-- create index "member_workspace_id_user_id" to table: "members"
CREATE UNIQUE INDEX "member_workspace_id_user_id" ON "members" ("workspace_id", "user_id");
-- create "sessions" table
CREATE TABLE "sessions" ("id" uuid NOT NULL, "hash" character varying NOT NULL, "data" bytea NOT NULL, "address" character varying NULL, "agent" character varying NULL, "created_at" timestamptz NOT NULL, "last_used_at" timestamptz NOT NULL, "expires_at" timestamptz NOT NULL, "user_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "sessions_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- create index "session_expires_at" to table: "sessions"
CREATE INDEX "session_expires_at" ON "sessions" ("expires_at");
-- create index "session_user_id" to table: "sessions"
CREATE INDEX "session_user_id" ON "sessions" ("user_id");
-- create index "sessions_hash_key" to table: "sessions"
CREATE UNIQUE INDEX "sessions_hash_key" ON "sessions" ("hash");
-- modify "api_keys" table
ALTER TABLE "api_keys" ADD COLUMN "form_id" uuid NULL;
-- modify "api_keys" table
ALTER TABLE "api_keys" ADD COLUMN "replaces" uuid NULL;
-- modify "api_keys" table
ALTER TABLE "api_keys" ADD COLUMN "created_by" uuid NULL;
-- modify "api_keys" table
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_users_creator" FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION NOT VALID;
