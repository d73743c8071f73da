//go:build ignore

// The generator: `make generate` runs it.
package main

import (
	"log"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"

	"records/internal/restgen"
)

func main() {
	log.SetFlags(0)
	err := entc.Generate("./schema", &gen.Config{
		Features: []gen.Feature{gen.FeaturePrivacy, gen.FeatureModifier},
	}, entc.Extensions(restgen.Extension()))
	if err != nil {
		log.Fatal("generate: ", restgen.Explain(err))
	}
	if err := restgen.Compile("."); err != nil {
		log.Fatal("generate: ", err)
	}
}
