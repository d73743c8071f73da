// Package prove holds the server to a model of each workspace, for as long as one
// likes: `make prove`, and a short run in every `go test`. It holds tests only.
//
// Workers send random operations by many keys, of either scope, that are minted,
// rescoped and revoked on the way: over every resource that is generated, and with
// ids of other workspaces in every place where an id can stand. Each worker alone
// writes to its workspaces, so that the model says exactly what each answer must
// be, to the byte, while the others do the same beside it. Connections are shared
// by the keys of all workspaces, requests are pipelined, and clients go away in the
// middle of them.
//
// Every text that is written carries the canary of its workspace. No answer to
// another workspace's key may hold it, nor an id that the request did not name
// itself, nor may the log. Failures of one kind must be alike to the byte, whoever
// gets them and whatever the id was. In the end the rows of the database are held
// against the model.
//
// Flags behind -args: -operations, -seed, -workers. A seed gives each worker the
// same choices again; with -workers 1 the whole run.
//
// What this suite and the others catch is tried by internal/faults.
package prove
