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
