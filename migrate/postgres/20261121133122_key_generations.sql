-- +goose Up
-- create "key_generations" table
CREATE TABLE "key_generations" ("id" uuid NOT NULL, "generation" character varying NOT NULL, PRIMARY KEY ("id"));
INSERT INTO "key_generations" ("id", "generation") VALUES ('00000000-0000-7000-8000-000000000001', gen_random_uuid()::text);
-- +goose StatementBegin
CREATE FUNCTION "renew_key_generation"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE "key_generations" SET "generation" = gen_random_uuid()::text;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
-- records: allow breaks, unknown: what changed keys before goes on doing so, and renews one row beside it
CREATE TRIGGER "api_keys_renew_generation" BEFORE UPDATE OF id, workspace_id, hash, scope, expires_at, revoked_at OR DELETE OR TRUNCATE ON "api_keys" FOR EACH STATEMENT EXECUTE FUNCTION "renew_key_generation"();
