package unseen

import "entgo.io/ent"

// Robot stands in a file for another system.
type Robot struct{ ent.Schema }
