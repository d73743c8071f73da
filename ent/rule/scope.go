package rule

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/privacy"

	"records/internal/viewer"
)

// RequireWrite denies every mutation to a viewer whose key is not of scope
// write (API document, part 5). The HTTP layer answers 403 earlier; this is
// the wall behind it.
func RequireWrite() privacy.MutationRule {
	return privacy.MutationRuleFunc(func(ctx context.Context, _ ent.Mutation) error {
		if v, ok := viewer.FromContext(ctx); !ok || v.Scope != viewer.Write {
			return privacy.Denyf("rule: the viewer may only read")
		}
		return privacy.Skip
	})
}
