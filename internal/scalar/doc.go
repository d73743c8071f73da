// Package scalar holds the kinds of value that a record's field can have beyond
// Go's own: exact decimals, calendar days, and the strict forms of timestamps,
// UUIDs and email addresses. It is a leaf: the schemas, the HTTP kit and the
// import command all judge a value by it, so that the same text gets the same
// verdict everywhere.
//
// The error of a Parse or Check function is a fragment such as "must be a UUID"
// that the caller puts behind the field's name. It is written for the client of
// the API and never echoes the input.
package scalar
