package server

import (
	"net/http"
	"time"
)

// Hurry shortens how long the server waits for a header, for a body, and when it
// stops for requests in flight.
func (o *Options) Hurry(header, body, stop time.Duration) { o.bounds = bounds{header, body, stop} }

// Leftover is how long the server waits for the rest of a body that nobody reads.
const Leftover = leftover

// BodyDeadline is the server's, around another handler.
func BodyDeadline(next http.Handler) http.Handler {
	return (&Server{Options: Options{bounds: defaultBounds}}).bodyDeadline(next)
}
