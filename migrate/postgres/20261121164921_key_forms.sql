-- +goose Up
-- modify "api_keys" table
ALTER TABLE "api_keys" ADD COLUMN "form_id" uuid NULL;
-- modify "api_keys" table
ALTER TABLE "api_keys" ADD COLUMN "replaces" uuid NULL;
