package providers

import (
	"context"
	"net/http"
)

// Request makes the HTTP request for a chat completion that Do sends, without sending it.
func (c *Client) Request(ctx context.Context, body []byte, stream bool) (*http.Request, error) {
	return c.request(ctx, http.MethodPost, endpoint(c.BaseURL, "/chat/completions"), body, accept(stream))
}

// accept is what a request for a chat completion wants for a reply.
func accept(stream bool) string {
	if stream {
		return "text/event-stream"
	}
	return "application/json"
}
