//go:build ignore

// The generator: `make generate` runs it.
package main

import (
	"fmt"
	"log"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"

	"records/internal/restgen"
)

func main() {
	log.SetFlags(0)
	err := entc.Generate("./schema", &gen.Config{
		Features: []gen.Feature{gen.FeaturePrivacy, gen.FeatureModifier},
	}, entc.Extensions(restgen.Extension(func(line string) { fmt.Println(line) })))
	if err != nil {
		log.Fatal("generate: ", restgen.Explain(err))
	}
	if err := restgen.Compile("."); err != nil {
		log.Fatal("generate: ", err)
	}
}
