package providers

import (
	"context"
	"net/http"

	"github.com/tidwall/gjson"
)

// Request makes the HTTP request for a chat completion that Do sends, without sending it.
func (c *Client) Request(ctx context.Context, body []byte) (*http.Request, error) {
	return c.request(ctx, http.MethodPost, endpoint(c.BaseURL, "/chat/completions"), body, accept(body))
}

// accept is what a request for a chat completion wants for a reply.
func accept(body []byte) string {
	if gjson.GetBytes(body, "stream").Type == gjson.True {
		return "text/event-stream"
	}
	return "application/json"
}
