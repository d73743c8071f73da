package rule

import (
	"context"

	"entgo.io/ent/privacy"
)

// OperatorOnly denies everyone: what it guards (workspaces, keys) is reached
// only through AsOperator.
func OperatorOnly() privacy.QueryMutationRule {
	return privacy.ContextQueryMutationRule(func(context.Context) error {
		return privacy.Denyf("rule: for operators only")
	})
}

// AsOperator returns a context in which no rule is asked. It is the only
// allow-decision of the program: for the look-up of a key, before there is a
// viewer, and for the commands of the operator of the whole installation.
// A linter holds who may call it.
func AsOperator(ctx context.Context) context.Context {
	return privacy.DecisionContext(ctx, privacy.Allow)
}
