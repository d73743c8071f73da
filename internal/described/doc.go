// Package described holds the server against the API's description: each example
// is sent, each failure is provoked, each limit is tried, for every resource that
// is generated. It holds tests only. What the description says of any answer is
// checked by internal/servertest, in all tests.
package described
