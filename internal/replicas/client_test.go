package replicas

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// client calls the API with a key.
type client struct {
	base      string // such as https://records.example.com/api/v1
	token     string
	transport http.RoundTripper
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
	took   time.Duration
}

// at is a client of one replica, past any proxy.
func (r *replica) at(token string) *client {
	return &client{"http://" + r.address + "/api/v1", token, http.DefaultTransport}
}

// at is a client of the proxy, by a transport of it.
func (p *proxy) at(token string, transport http.RoundTripper) *client {
	return &client{"https://" + p.address + "/api/v1", token, transport}
}

// neverOpen is net/http's error for a new connection that was closed before anything
// was sent on it, as nginx does where it is reloaded at that moment. It leaves to its
// user to connect again (golang/go, errClientConnNotEstablished).
const neverOpen = "http2: client conn could not be established"

// do sends a request once. Headers come in pairs.
func (c *client) do(method, path, body string, headers ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Host = host
	request.Header.Set("Authorization", "Bearer "+c.token)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	began := time.Now()
	r, err := c.transport.RoundTrip(request)
	if err != nil && strings.Contains(err.Error(), neverOpen) {
		request.Body, _ = request.GetBody()
		r, err = c.transport.RoundTrip(request)
	}
	if err != nil {
		return answer{took: time.Since(began)}, err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return answer{r.StatusCode, r.Header, string(text), time.Since(began)}, err
}
