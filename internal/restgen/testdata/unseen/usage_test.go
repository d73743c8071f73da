package unseen

import "entgo.io/ent"

// Usage stands in a file of tests.
type Usage struct{ ent.Schema }
