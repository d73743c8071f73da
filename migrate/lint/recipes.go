package lint

// The safe ways. Each is a sentence or two that someone can act on.
const (
	recipeContract = "Expand and contract: release a version that no longer uses it, and drop it in a release after that, when no older program runs; take a backup before"
	recipeRename   = "Expand and contract: add the new one, let the program write both and fill the old rows, release a version that uses only the new one, and drop the old one in a release after that"
	recipeIndex    = "Write CREATE INDEX CONCURRENTLY in a migration of its own, with the line -- +goose NO TRANSACTION"
	recipeUnindex  = "Write DROP INDEX CONCURRENTLY in a migration of its own, with the line -- +goose NO TRANSACTION"
	recipeUnique   = "Let the program refuse duplicates in a release before, and look for those that are there; then build the index"
	recipeValidate = "Add it with NOT VALID, and VALIDATE CONSTRAINT in a later migration, which holds nobody up"
	recipeNotNull  = "Fill the column, ADD CONSTRAINT … CHECK (… IS NOT NULL) NOT VALID, VALIDATE CONSTRAINT in a later migration, then SET NOT NULL, which then looks at no row, and drop the constraint"
	recipeRule     = "Let the program keep to the rule in a release before this one"
	recipeColumn   = "Add it with a constant default, or without NOT NULL; require it in a release after the one that writes it"
	recipePlain    = "Add it with a constant default or none, and without UNIQUE or PRIMARY KEY; make a unique index afterwards, or let `make migration` write the table anew"
	recipeDefault  = "Add the column without the default, let new rows have theirs, and fill the old ones in batches"
	recipeType     = "Add a column of the new type, let the program write both, fill the old rows in batches, then release a version that uses only the new one"
	recipeBackfill = "Fill what is missing (UPDATE … WHERE … IS NULL) in batches outside of the migrations, or in a migration of its own with the reason why writers can wait"
	recipeRows     = "Take a backup, look with SELECT at what it concerns, and allow it here with the reason"
	recipeRebuild  = "SQLite has no other way to change this. Rehearse it with `records migrate rehearse` to see how long writers wait, and allow it with the reason"
	recipeQuiet    = "Run it by hand at a quiet time, outside of the migrations"
	recipeTogether = "Change it together with the program: release a version that works with and without it first"
	recipeUnknown  = "Look at it yourself, rehearse it with `records migrate rehearse`, and allow it with the reason: -- records: allow unknown: …"
	recipeOverride = "Write -- records: allow RULE, RULE: REASON, with the rules that the statement below it breaks, and no others; or -- records: shuts out older programs: REASON"
)
