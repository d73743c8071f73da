// Package outages shows what becomes of acknowledged writes when things go wrong:
// `make prove-outages`, and a short run in every `go test`. It holds tests only.
//
// The built program serves an SQLite file, and a PostgreSQL of the test's own behind
// a proxy that breaks the way to it. Writers create, update, delete and import, and a
// ledger keeps of every write whether it was acknowledged, refused, or left open. One
// outage after the other is brought about meanwhile: the program is killed or told to
// stop; PostgreSQL stops, crashes, freezes, or cannot be reached; connections and
// replies are cut; a disk is full; a table is locked; there is five times the load
// that can be done.
//
// While it lasts, clients get the documented answers and no others, in the documented
// time, and a connection breaks only where the program itself goes away. When it is
// over, good answers must come again without anybody's help. Then everything that is
// listed is held against the ledger: each acknowledged write is there once, with its
// last value; what was refused had no effect; what was left open happened once or not
// at all; what was deleted stays deleted; counts are what is listed, and `records
// doctor` finds nothing.
//
// Flags behind -args: -minutes, -seed. A seed gives the same outages in the same
// order; what meets them is up to the clock.
package outages
