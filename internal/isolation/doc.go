// Package isolation proves over HTTP that one workspace can never reach
// another. It holds tests only, and none of them names a resource: they go
// over all that are generated, every operation and every place where an id can
// stand, so that a new resource is covered before anyone writes a test for it.
//
// The walls behind HTTP have tests of their own: the policy and the database's
// keys in ent/rule, the refusal of unsafe schemas in internal/restgen.
//
// What many keys do at random, beside one another and for long, internal/prove holds
// against a model of each workspace.
package isolation
