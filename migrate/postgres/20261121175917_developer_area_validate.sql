-- +goose Up
-- hold the old rows of "api_keys" to "api_keys_users_creator"
ALTER TABLE "api_keys" VALIDATE CONSTRAINT "api_keys_users_creator";
