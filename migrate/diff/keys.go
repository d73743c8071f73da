package diff

import (
	"fmt"

	"entgo.io/ent/dialect"
)

// keyColumns are those of a key that decide what it opens. When it was last used
// is not one of them.
const keyColumns = "id, workspace_id, hash, scope, expires_at, revoked_at"

// renewKeys is the function that PostgreSQL's triggers call.
const renewKeys = "renew_key_generation"

// keyTriggers are, by name, what renews the generation of the keys in the same
// transaction as a change of them (see ent/schema/keygeneration.go). A key that is
// new changes nothing that anybody knew; one that replaces another does.
//
// On PostgreSQL they fire before the statement: whoever changes keys then takes
// the lock on the generation first, and two who change several cannot wait for
// each other. On SQLite the text is what sqlite_master keeps.
func keyTriggers(dialectName string) map[string]trigger {
	if dialectName == dialect.Postgres {
		return map[string]trigger{
			renewKeys: {text: `CREATE FUNCTION "` + renewKeys + `"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE "key_generations" SET "generation" = gen_random_uuid()::text;
  RETURN NULL;
END
$$`},
			"api_keys_renew_generation": {table: "api_keys", text: `CREATE TRIGGER "api_keys_renew_generation" BEFORE UPDATE OF ` + keyColumns +
				` OR DELETE OR TRUNCATE ON "api_keys" FOR EACH STATEMENT EXECUTE FUNCTION "` + renewKeys + `"()`},
		}
	}
	wanted := map[string]trigger{}
	for name, when := range map[string][2]string{
		"update":  {"AFTER UPDATE OF " + keyColumns},
		"delete":  {"AFTER DELETE"},
		"replace": {"BEFORE INSERT", " WHERE EXISTS (SELECT 1 FROM `api_keys` WHERE `id` = NEW.`id` OR `hash` = NEW.`hash`)"},
	} {
		name = "api_keys_renew_generation_" + name
		wanted[name] = trigger{table: "api_keys", text: fmt.Sprintf("CREATE TRIGGER `%s` %s ON `api_keys` FOR EACH ROW BEGIN\n"+
			"  UPDATE `key_generations` SET `generation` = lower(hex(randomblob(16)))%s;\nEND", name, when[0], when[1])}
	}
	return wanted
}
