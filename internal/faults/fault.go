package main

// fault is a small change of the source that opens a hole: in what keeps
// workspaces apart, in what a key may do, in what is counted, or in what becomes of
// writes when something goes away. Some tests must fail of it.
type fault struct {
	name  string
	opens string // what it would let happen
	edits []edit
	after after  // what has to be run, before it has its effect
	by    []test // each of them must catch it
	// unseen is why the property suite does not catch it; "" if it does, and is in by.
	unseen string
	// held is the test that passes all the same where there is row-level security, which
	// lets nothing of it through; none where it is no wall against the fault.
	held test
}

// edit replaces a text that stands in a file once.
type edit struct{ file, old, new string }

// after is what the source needs after an edit.
type after int

const (
	nothing  after = iota
	generate       // a template was edited: the client and the endpoints are written anew
	sums           // a migration was edited
)

// test is one of the project's own.
type test struct{ folder, name string }

// thirdKind is the part of a test that runs with row-level security.
const thirdKind = "postgres,_row-level_security"

// The suites that the faults are planted for.
var (
	prove     = test{"internal/prove", "TestProve"}
	places    = test{"internal/isolation", "TestForeignRecordIsAbsent"}
	find      = test{"ent/rule", "TestFindIsAll"}
	refers    = test{"internal/isolation", "TestForeignReferenceIsAbsent"}
	chooses   = test{"internal/isolation", "TestOnlyPathAndKeyChoose"}
	counted   = test{"internal/isolation", "TestCountIsOnesOwn"}
	lists     = test{"internal/isolation", "TestListsHoldOnlyOwn"}
	refused   = test{"internal/isolation", "TestRefusedKeys"}
	readKey   = test{"internal/isolation", "TestReadKey"}
	keysMeet  = test{"internal/isolation", "TestKeysAtOnce"}
	sameID    = test{"internal/isolation", "TestSameIDInBoth"}
	raw       = test{"ent/rule", "TestRawPredicateReadsOnlyItsWorkspace"}
	inSecond  = test{"internal/apikey", "TestChangesHoldWithinASecond"}
	counting  = test{"internal/server", "TestRecordsCountThemselves"}
	outages   = test{"internal/outages", "TestOutages"}
	generator = test{"internal/restgen", "TestUnsafeSchemasDoNotGenerate"}
)

// faults is all of them.
func faults() (all []fault) {
	for _, some := range [][]fault{policies, scopes, endpoints, references, counts, keys, caches, walls, rowSecurity, people, lost, replicas, failover, restores, spoken} {
		all = append(all, some...)
	}
	return all
}
