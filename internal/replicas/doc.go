// Package replicas holds several replicas of the program to what is promised of them:
// the real program, as processes of their own, on one PostgreSQL and one Redis behind
// a real nginx with the settings of docs/proxy. It holds tests only.
//
// A short form of each runs in every `go test`. Flags behind -args make it longer:
// -changes, how many changes of keys are followed (`make prove-keys`), and -rows and
// -old for an upgrade (`make prove-upgrade`), see the tests.
package replicas
