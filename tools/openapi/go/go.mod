// The driver of the generated client, apart from the product and its tools. The
// client is not in the repository: `make openapi` writes it.
module records/tools/openapi/go

go 1.26.4

require (
	github.com/oapi-codegen/nullable v1.1.0
	github.com/oapi-codegen/runtime v1.8.0
)

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
)
