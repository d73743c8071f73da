package server

import "time"

// Hurry shortens how long the server waits for a header, for a body, and when it
// stops for requests in flight.
func (o *Options) Hurry(header, body, stop time.Duration) { o.bounds = bounds{header, body, stop} }
